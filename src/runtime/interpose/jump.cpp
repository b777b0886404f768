/// Jumps out of signal handlers. sigsetjmp saved the kernel's mask, in which everything is always
/// blocked; the program's own mask is restored here.
#include <setjmp.h>

#include "runtime/interpose/beats.hpp"
#include "runtime/os/real.hpp"

extern "C" void __longjmp_chk(jmp_buf, int) __attribute__((noreturn));

namespace unravel {

namespace {

/// The stack pointer after the jump. glibc mangles it with a value of the thread.
const void* stack_of(const __jmp_buf_tag* target) {
  constexpr int kStackPointer = 6;
  constexpr int kTurned = 17;
  auto word = static_cast<std::uint64_t>(target->__jmpbuf[kStackPointer]);
  word = word >> kTurned | word << (64 - kTurned);
  std::uint64_t guard = 0;
  asm("mov %%fs:0x30, %0" : "=r"(guard));
  return reinterpret_cast<const void*>(word ^ guard);
}

// The kernel writes only the first word of a saved mask, and its mask is not the program's. We keep
// the program's in the second word; this value in the third says so.
constexpr unsigned long kHasMask = 0x756e'7261'7665'6c21;

void leave_for(__jmp_buf_tag* target) {
  const bool has_mask = target->__mask_was_saved && target->__saved_mask.__val[2] == kHasMask;
  Thread* self = controlled_thread();
  if (!self) {
    // In a child that the program forked, the kernel's mask counts again.
    if (has_mask) target->__saved_mask.__val[0] = target->__saved_mask.__val[1];
    return;
  }
  const void* const stack = stack_of(target);
  // The functions in between are left without their hooks.
  if (recorder.calls()) {
    recorder.annotate(wire::Operation::kFunctionExit, reinterpret_cast<std::uint64_t>(stack), 0, 0,
                      nullptr);
  }
  const std::uint64_t before = Signals::leave_handlers(*self, stack);
  if (!target->__mask_was_saved) return;
  runtime().signals().replace_mask(*self, has_mask ? target->__saved_mask.__val[1] : before);
}

}  // namespace

}  // namespace unravel

using namespace unravel;

/// Called before sigsetjmp() saves the mask. Returns the address to jump to.
extern "C" __attribute__((visibility("hidden"), used)) void* unravel_record_mask(
    __jmp_buf_tag* target, int saves_mask) {
  if (saves_mask) {
    const Thread* self = controlled_thread();
    target->__saved_mask.__val[1] = self ? self->signals.mask : 0;
    target->__saved_mask.__val[2] = self ? kHasMask : 0;
  }
  return reinterpret_cast<void*>(real::__sigsetjmp.get());
}

// These return twice, so nothing of ours may be on the stack then: they are jumped to.
#define JUMP_TO_SIGSETJMP(name, set_argument) \
  asm(".pushsection .text\n"                  \
      ".globl " #name                         \
      "\n"                                    \
      ".type " #name ", @function\n" #name    \
      ":\n"                                   \
      ".cfi_startproc\n" set_argument         \
      "pushq %rdi\n"                          \
      ".cfi_adjust_cfa_offset 8\n"            \
      "pushq %rsi\n"                          \
      ".cfi_adjust_cfa_offset 8\n"            \
      "subq $8, %rsp\n"                       \
      ".cfi_adjust_cfa_offset 8\n"            \
      "call unravel_record_mask\n"            \
      "addq $8, %rsp\n"                       \
      ".cfi_adjust_cfa_offset -8\n"           \
      "popq %rsi\n"                           \
      ".cfi_adjust_cfa_offset -8\n"           \
      "popq %rdi\n"                           \
      ".cfi_adjust_cfa_offset -8\n"           \
      "jmp *%rax\n"                           \
      ".cfi_endproc\n"                        \
      ".size " #name ", . - " #name           \
      "\n"                                    \
      ".popsection")

JUMP_TO_SIGSETJMP(__sigsetjmp, "");
JUMP_TO_SIGSETJMP(setjmp, "movl $1, %esi\n");

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
