/// Memory accesses and function entries, as the compilers' -fsanitize=thread tells of them, and
/// what else programs built that way may call. Each hook comes before what it tells of.
#include "runtime/interpose/hooks.hpp"

namespace unravel {

void look_at_hook(wire::Operation operation, const volatile void* address, const void* site) {
  Thread* self = current_thread;
  if (!self) {  // before we began, in a thread that is not ours, or one that has passed on the turn
    countdown.set(Countdown::kFar);
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

/// What it is given is where the caller is; where the function is, is where we were called.
UNRAVEL_EXPORT void __tsan_func_entry(void*) {
  pass_hook(Operation::kEnter, nullptr, UNRAVEL_SITE);
}
UNRAVEL_EXPORT void __tsan_func_exit() {}

// --- Called once, or by programs that help a race detector: nothing to do
// -------------------------

#define NOTHING(name) \
  UNRAVEL_EXPORT void* name() { return nullptr; }

NOTHING(__tsan_acquire);
NOTHING(__tsan_release);
NOTHING(__tsan_ignore_thread_begin);
NOTHING(__tsan_ignore_thread_end);
NOTHING(__tsan_flush_memory);
NOTHING(__tsan_mutex_create);
NOTHING(__tsan_mutex_destroy);
NOTHING(__tsan_mutex_pre_lock);
NOTHING(__tsan_mutex_post_lock);
NOTHING(__tsan_mutex_pre_unlock);
NOTHING(__tsan_mutex_post_unlock);
NOTHING(__tsan_mutex_pre_signal);
NOTHING(__tsan_mutex_post_signal);
NOTHING(__tsan_mutex_pre_divert);
NOTHING(__tsan_mutex_post_divert);
NOTHING(__tsan_get_current_fiber);
NOTHING(__tsan_create_fiber);
NOTHING(__tsan_destroy_fiber);
NOTHING(__tsan_switch_to_fiber);
NOTHING(__tsan_set_fiber_name);
NOTHING(__tsan_external_assign_tag);
NOTHING(__tsan_external_read);
NOTHING(__tsan_external_write);
NOTHING(__tsan_external_register_header);
NOTHING(__tsan_external_register_tag);
NOTHING(AnnotateHappensBefore);
NOTHING(AnnotateHappensAfter);
NOTHING(AnnotateBenignRace);
NOTHING(AnnotateBenignRaceSized);
NOTHING(AnnotateIgnoreReadsBegin);
NOTHING(AnnotateIgnoreReadsEnd);
NOTHING(AnnotateIgnoreWritesBegin);
NOTHING(AnnotateIgnoreWritesEnd);
NOTHING(AnnotateIgnoreSyncBegin);
NOTHING(AnnotateIgnoreSyncEnd);
NOTHING(AnnotateRWLockCreate);
NOTHING(AnnotateRWLockCreateStatic);
NOTHING(AnnotateRWLockDestroy);
NOTHING(AnnotateRWLockAcquired);
NOTHING(AnnotateRWLockReleased);
NOTHING(AnnotateNewMemory);
NOTHING(AnnotateThreadName);
