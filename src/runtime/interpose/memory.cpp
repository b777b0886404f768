/// Memory accesses: the hooks of -fsanitize=thread. Each hook comes before its access.
#include "runtime/interpose/hooks.hpp"
#include "runtime/interpose/loader.hpp"
#include "wire/independence.hpp"

namespace unravel {

namespace {

/// The hook at which the countdown ended.
[[gnu::noinline]] void stop_at_hook(Thread& self, const Op& op, bool marked, bool spins) {
  if (is_in_loader()) {  // it holds a lock that we cannot see: wait for another hook
    scheduler().hooks().read_off(self);
    countdowns.hooks.set(0);
    return;
  }
  const int kept = errno;
  scheduler().inspect_hook(self, op, marked, spins);
  errno = kept;
}

/// A trace gets the size of each access of a call such as memcpy. All of them are made after the
/// last hook.
std::uint64_t bytes_of(HookKind kind, std::uint64_t more) {
  if (recorder.on() && kind.is_range()) return wire::PendingOperation::kAnyMemory;
  return kind.bytes(more);
}

void note_pair(const Thread& self, wire::Operation operation, const volatile void* address,
               const void* site) {
  const bool reads =
      operation == wire::Operation::kLoad || operation == wire::Operation::kAtomicLoad;
  scheduler().pairs().record(reinterpret_cast<std::uint64_t>(address),
                             reinterpret_cast<std::uint64_t>(site), self.ordinal, !reads,
                             scheduler().run());
}

void note_executed(const void* site, Marks::News news) {
  const std::uint64_t what =
      news == Marks::News::kFirst ? wire::kFirstAccess : wire::kAccessOfAnotherThread;
  scheduler().pairs().record_executed(reinterpret_cast<std::uint64_t>(site), what,
                                      scheduler().run());
}

}  // namespace

void inspect_hook(HookKind kind, const volatile void* address, const void* site,
                  std::uint64_t more) {
  Thread* self = current_thread;
  if (!self) {  // before our start, in a foreign thread, or in one that has passed on the turn
    if (!countdowns.hooks.shift) countdowns.set_far();
    return;
  }
  const Op op{.kind = kind.operation,
              .object = const_cast<const void*>(address),
              .site = site,
              .also = bytes_of(kind, more)};
  bool marked = false;
  bool spins = false;
  bool is_due = countdowns.hooks.is_due() || countdowns.calls.is_due();
  if (marks_points && wire::is_access(kind.operation)) {
    const Marks::News news = marks.visit(site, Marks::tag_of(self->ordinal));
    if (news != Marks::News::kNone) [[unlikely]]
      note_executed(site, news);
  }
  if (marks_points && marks.has(kind.operation, site)) {
    marked = true;
    is_due |= --countdowns.marked.left < 0;
    spins = scheduler().hooks().goes_round(*self, op);
  }
  if (is_due || spins) stop_at_hook(*self, op, marked, spins);
  if (marked) note_pair(*self, kind.operation, address, site);
  // Recorded with the turn in hand, so that nothing comes between this and the access. An
  // allocation is recorded later, when its address is known.
  if (recorder.on() && kind.operation != wire::Operation::kAllocate) {
    recorder.hook(kind, address, site, more);
  }
}

void inspect_access(HookKind kind, const volatile void* address, const void* site) {
  if (!countdowns.hooks.is_due()) [[likely]] {
    if (marks_points && !recorder.on() && marks.skips(site, countdowns.thread_tag)) return;
    if (recorder.takes_plain() && current_thread) {
      recorder.plain(kind, address, site);
      return;
    }
  }
  inspect_hook(kind, address, site, 0);
}

}  // namespace unravel

using namespace unravel;
using wire::Operation;

#define LOAD(size) HookKind::of(Operation::kLoad, size)
#define STORE(size) HookKind::of(Operation::kStore, size)
#define HOOK(name, kind)                             \
  UNRAVEL_EXPORT void __tsan_##name(void* address) { \
    pass_access(kind, address, UNRAVEL_HOOK_SITE);   \
  }
#define HOOK_PC(name, kind) \
  UNRAVEL_EXPORT void __tsan_##name(void* address, void* pc) { pass_access(kind, address, pc); }
#define HOOKS(size)                               \
  HOOK(read##size, LOAD(size))                    \
  HOOK(write##size, STORE(size))                  \
  HOOK(read_write##size, STORE(size))             \
  HOOK_PC(read##size##_pc, LOAD(size))            \
  HOOK_PC(write##size##_pc, STORE(size))          \
  HOOK_PC(read_write##size##_pc, STORE(size))     \
  HOOK(volatile_read##size, LOAD(size))           \
  HOOK(volatile_write##size, STORE(size))         \
  HOOK(unaligned_read##size, LOAD(size))          \
  HOOK(unaligned_write##size, STORE(size))        \
  HOOK(unaligned_read_write##size, STORE(size))   \
  HOOK(unaligned_volatile_read##size, LOAD(size)) \
  HOOK(unaligned_volatile_write##size, STORE(size))

HOOKS(1);
HOOKS(2);
HOOKS(4);
HOOKS(8);
HOOKS(16);
HOOK(vptr_read, LOAD(8));

UNRAVEL_EXPORT void __tsan_read_range(void* address, unsigned long size) {
  if (size) pass_hook(HookKind::of_range(Operation::kLoad), address, UNRAVEL_HOOK_SITE, size);
}
UNRAVEL_EXPORT void __tsan_write_range(void* address, unsigned long size) {
  if (size) pass_hook(HookKind::of_range(Operation::kStore), address, UNRAVEL_HOOK_SITE, size);
}
UNRAVEL_EXPORT void __tsan_read_range_pc(void* address, unsigned long size, void* pc) {
  if (size) pass_hook(HookKind::of_range(Operation::kLoad), address, pc, size);
}
UNRAVEL_EXPORT void __tsan_write_range_pc(void* address, unsigned long size, void* pc) {
  if (size) pass_hook(HookKind::of_range(Operation::kStore), address, pc, size);
}
/// Constructors and destructors often write the same value again, which changes nothing for other
/// threads.
UNRAVEL_EXPORT void __tsan_vptr_update(void** address, void* value) {
  pass_hook(*address == value ? LOAD(8) : STORE(8), address, UNRAVEL_HOOK_SITE);
}
