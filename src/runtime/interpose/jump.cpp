/// Jumps out of signal handlers. The mask that sigsetjmp saved is the kernel's, where everything is
/// blocked at all times; the program's own is put back here.
#include <setjmp.h>

#include "runtime/interpose/beats.hpp"
#include "runtime/os/real.hpp"

extern "C" void __longjmp_chk(jmp_buf, int) __attribute__((noreturn));

namespace unravel {

namespace {

/// Where the stack will be. glibc keeps it disguised with a number of the thread's.
const void* stack_of(const __jmp_buf_tag* target) {
  constexpr int kStackPointer = 6;
  constexpr int kTurned = 17;
  auto word = static_cast<std::uint64_t>(target->__jmpbuf[kStackPointer]);
  word = word >> kTurned | word << (64 - kTurned);
  std::uint64_t guard = 0;
  asm("mov %%fs:0x30, %0" : "=r"(guard));
  return reinterpret_cast<const void*>(word ^ guard);
}

void leave_for(const __jmp_buf_tag* target) {
  Thread* self = controlled_thread();
  if (!self || !self->handlers) return;
  Signals::leave_handlers(*self, stack_of(target), target->__mask_was_saved != 0);
}

}  // namespace

}  // namespace unravel

using namespace unravel;

UNRAVEL_EXPORT void siglongjmp(sigjmp_buf target, int value) noexcept {
  leave_for(target);
  real::siglongjmp(target, value);
  __builtin_unreachable();
}

UNRAVEL_EXPORT void longjmp(jmp_buf target, int value) noexcept {
  leave_for(target);
  real::longjmp(target, value);
  __builtin_unreachable();
}

UNRAVEL_EXPORT void _longjmp(jmp_buf target, int value) noexcept {
  leave_for(target);
  real::_longjmp(target, value);
  __builtin_unreachable();
}

UNRAVEL_EXPORT void __longjmp_chk(jmp_buf target, int value) {
  leave_for(target);
  real::__longjmp_chk(target, value);
  __builtin_unreachable();
}
