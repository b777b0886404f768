#include "runtime/interpose/loader.hpp"

#include "runtime/os/hooked_code.hpp"
#include "runtime/os/real.hpp"
#include "runtime/process/runtime.hpp"

namespace unravel {
namespace {

/// The outermost call of the loader: the stack slot of its return address, and that address. The
/// slot keeps this value as long as the call lasts.
struct Call {
  const void* const* slot = nullptr;
  const void* returns_to = nullptr;

  bool lasts() const {
    return slot && static_cast<const void*>(__builtin_frame_address(0)) < slot &&
           *slot == returns_to;
  }
};

__thread Call call;

template <class Real>
void* enter(const void* const* slot, Real& real) {
  // Constructors may load libraries, so calls nest.
  if (!call.lasts()) call = {slot, *slot};
  return reinterpret_cast<void*>(real.get());
}

}  // namespace

bool is_in_loader() {
  if (call.lasts()) return true;
  call = {};
  return false;
}

}  // namespace unravel

using namespace unravel;

// The loader searches for a library on behalf of the calling module, which it knows by the return
// address. So the real functions must be jumped to, not called, and we do not see them return.
#define UNRAVEL_HIDDEN extern "C" __attribute__((visibility("hidden"), used))
UNRAVEL_HIDDEN void* unravel_enter_dlopen(const void* const* slot) {
  os::hooked_code.forget_unloaded();  // new code may lie where code with hooks was
  return enter(slot, real::dlopen);
}
UNRAVEL_HIDDEN void* unravel_enter_dlmopen(const void* const* slot) {
  os::hooked_code.forget_unloaded();
  return enter(slot, real::dlmopen);
}
UNRAVEL_HIDDEN void* unravel_enter_dlclose(const void* const* slot) {
  return enter(slot, real::dlclose);
}

#define JUMP_TO_REAL(name)                 \
  asm(".pushsection .text\n"               \
      ".globl " #name                      \
      "\n"                                 \
      ".type " #name ", @function\n" #name \
      ":\n"                                \
      ".cfi_startproc\n"                   \
      "pushq %rdi\n"                       \
      ".cfi_adjust_cfa_offset 8\n"         \
      "pushq %rsi\n"                       \
      ".cfi_adjust_cfa_offset 8\n"         \
      "pushq %rdx\n"                       \
      ".cfi_adjust_cfa_offset 8\n"         \
      "leaq 24(%rsp), %rdi\n"              \
      "call unravel_enter_" #name          \
      "\n"                                 \
      "popq %rdx\n"                        \
      ".cfi_adjust_cfa_offset -8\n"        \
      "popq %rsi\n"                        \
      ".cfi_adjust_cfa_offset -8\n"        \
      "popq %rdi\n"                        \
      ".cfi_adjust_cfa_offset -8\n"        \
      "jmp *%rax\n"                        \
      ".cfi_endproc\n"                     \
      ".size " #name ", . - " #name        \
      "\n"                                 \
      ".popsection")

JUMP_TO_REAL(dlopen);
JUMP_TO_REAL(dlmopen);
JUMP_TO_REAL(dlclose);
