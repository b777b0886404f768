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
#define HOOK_RANGE(name, operation)                                      \
  UNRAVEL_EXPORT void __tsan_##name(void* address, unsigned long size) { \
    if (size) pass_hook(operation, address, UNRAVEL_SITE);               \
  }

#define BOTH(suffix)                     \
  HOOK(read##suffix, Operation::kLoad)   \
  HOOK(write##suffix, Operation::kStore) \
  HOOK(read_write##suffix, Operation::kStore)
#define BOTH_PC(suffix)                     \
  HOOK_PC(read##suffix, Operation::kLoad)   \
  HOOK_PC(write##suffix, Operation::kStore) \
  HOOK_PC(read_write##suffix, Operation::kStore)
#define UNALIGNED(size)                                 \
  HOOK(unaligned_read##size, Operation::kLoad)          \
  HOOK(unaligned_write##size, Operation::kStore)        \
  HOOK(unaligned_read_write##size, Operation::kStore)   \
  HOOK(unaligned_volatile_read##size, Operation::kLoad) \
  HOOK(unaligned_volatile_write##size, Operation::kStore)
#define VOLATILE(size)                        \
  HOOK(volatile_read##size, Operation::kLoad) \
  HOOK(volatile_write##size, Operation::kStore)

BOTH(1)
BOTH(2)
BOTH(4)
BOTH(8) BOTH(16) BOTH_PC(1_pc) BOTH_PC(2_pc) BOTH_PC(4_pc) BOTH_PC(8_pc) BOTH_PC(16_pc) UNALIGNED(2)
    UNALIGNED(4) UNALIGNED(8) UNALIGNED(16) VOLATILE(1) VOLATILE(2) VOLATILE(4) VOLATILE(8)
        VOLATILE(16) HOOK_RANGE(read_range, Operation::kLoad)
            HOOK_RANGE(write_range, Operation::kStore) HOOK(vptr_read, Operation::kLoad)

                UNRAVEL_EXPORT
    void __tsan_read_range_pc(void* address, unsigned long size, void* pc) {
  if (size) pass_hook(Operation::kLoad, address, pc);
}
UNRAVEL_EXPORT void __tsan_write_range_pc(void* address, unsigned long size, void* pc) {
  if (size) pass_hook(Operation::kStore, address, pc);
}
UNRAVEL_EXPORT void __tsan_vptr_update(void** address, void*) {
  pass_hook(Operation::kStore, address, UNRAVEL_SITE);
}

/// `pc` is in the caller; where the function itself is, is where we were called.
UNRAVEL_EXPORT void __tsan_func_entry(void*) {
  pass_hook(Operation::kEnter, nullptr, UNRAVEL_SITE);
}
UNRAVEL_EXPORT void __tsan_func_exit() {}

// --- Called once, or by programs that help a race detector: nothing to do ---

#define NOTHING(name) \
  UNRAVEL_EXPORT void* name() { return nullptr; }
NOTHING(__tsan_init)
NOTHING(__tsan_acquire)
NOTHING(__tsan_release)
NOTHING(__tsan_ignore_thread_begin) NOTHING(__tsan_ignore_thread_end) NOTHING(
    __tsan_flush_memory) NOTHING(__tsan_mutex_create) NOTHING(__tsan_mutex_destroy)
    NOTHING(__tsan_mutex_pre_lock) NOTHING(__tsan_mutex_post_lock) NOTHING(
        __tsan_mutex_pre_unlock) NOTHING(__tsan_mutex_post_unlock) NOTHING(__tsan_mutex_pre_signal)
        NOTHING(__tsan_mutex_post_signal) NOTHING(__tsan_mutex_pre_divert) NOTHING(
            __tsan_mutex_post_divert) NOTHING(__tsan_get_current_fiber) NOTHING(__tsan_create_fiber)
            NOTHING(__tsan_destroy_fiber) NOTHING(__tsan_switch_to_fiber)
                NOTHING(__tsan_set_fiber_name) NOTHING(__tsan_external_assign_tag)
                    NOTHING(__tsan_external_read) NOTHING(__tsan_external_write) NOTHING(
                        __tsan_external_register_header) NOTHING(__tsan_external_register_tag)
                        NOTHING(AnnotateHappensBefore) NOTHING(AnnotateHappensAfter)
                            NOTHING(AnnotateBenignRace) NOTHING(AnnotateBenignRaceSized) NOTHING(
                                AnnotateIgnoreReadsBegin) NOTHING(AnnotateIgnoreReadsEnd)
                                NOTHING(AnnotateIgnoreWritesBegin) NOTHING(AnnotateIgnoreWritesEnd)
                                    NOTHING(AnnotateIgnoreSyncBegin) NOTHING(AnnotateIgnoreSyncEnd)
                                        NOTHING(AnnotateRWLockCreate)
                                            NOTHING(AnnotateRWLockCreateStatic)
                                                NOTHING(AnnotateRWLockDestroy)
                                                    NOTHING(AnnotateRWLockAcquired)
                                                        NOTHING(AnnotateRWLockReleased)
                                                            NOTHING(AnnotateNewMemory)
                                                                NOTHING(AnnotateThreadName)
