/// Memory accesses, as the compilers' -fsanitize=thread tells of them. Each hook comes before what
/// it tells of.
#include "runtime/interpose/hooks.hpp"
#include "runtime/interpose/loader.hpp"

namespace unravel {

void look_at_hook(wire::Operation operation, const volatile void* address, const void* site) {
  Thread* self = current_thread;
  if (!self) {  // before we began, in a thread that is not ours, or one that has passed on the turn
    countdowns.set_far();
    return;
  }
  if (is_in_loader()) {  // it has a lock that we cannot see: the next hook, perhaps
    scheduler().read_off(*self);
    countdowns.hooks.set(0);
    return;
  }
  const int kept = errno;
  const Op op{.kind = operation, .object = const_cast<const void*>(address), .site = site};
  scheduler().look_at_hook(*self, op);
  errno = kept;
}

}  // namespace unravel

using namespace unravel;
using wire::Operation;

#define HOOK(name, operation) \
  UNRAVEL_EXPORT void __tsan_##name(void* address) { pass_hook(operation, address, UNRAVEL_SITE); }
#define HOOK_PC(name, operation) \
  UNRAVEL_EXPORT void __tsan_##name(void* address, void* pc) { pass_hook(operation, address, pc); }
#define HOOKS(size)                                     \
  HOOK(read##size, Operation::kLoad)                    \
  HOOK(write##size, Operation::kStore)                  \
  HOOK(read_write##size, Operation::kStore)             \
  HOOK_PC(read##size##_pc, Operation::kLoad)            \
  HOOK_PC(write##size##_pc, Operation::kStore)          \
  HOOK_PC(read_write##size##_pc, Operation::kStore)     \
  HOOK(volatile_read##size, Operation::kLoad)           \
  HOOK(volatile_write##size, Operation::kStore)         \
  HOOK(unaligned_read##size, Operation::kLoad)          \
  HOOK(unaligned_write##size, Operation::kStore)        \
  HOOK(unaligned_read_write##size, Operation::kStore)   \
  HOOK(unaligned_volatile_read##size, Operation::kLoad) \
  HOOK(unaligned_volatile_write##size, Operation::kStore)

HOOKS(1);
HOOKS(2);
HOOKS(4);
HOOKS(8);
HOOKS(16);
HOOK(vptr_read, Operation::kLoad);

UNRAVEL_EXPORT void __tsan_read_range(void* address, unsigned long size) {
  if (size) pass_hook(Operation::kLoad, address, UNRAVEL_SITE);
}
UNRAVEL_EXPORT void __tsan_write_range(void* address, unsigned long size) {
  if (size) pass_hook(Operation::kStore, address, UNRAVEL_SITE);
}
UNRAVEL_EXPORT void __tsan_read_range_pc(void* address, unsigned long size, void* pc) {
  if (size) pass_hook(Operation::kLoad, address, pc);
}
UNRAVEL_EXPORT void __tsan_write_range_pc(void* address, unsigned long size, void* pc) {
  if (size) pass_hook(Operation::kStore, address, pc);
}
UNRAVEL_EXPORT void __tsan_vptr_update(void** address, void*) {
  pass_hook(Operation::kStore, address, UNRAVEL_SITE);
}
