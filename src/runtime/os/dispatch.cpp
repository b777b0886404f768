#include "runtime/os/dispatch.hpp"

#include <elf.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>

#include <cstring>

#include "runtime/os/system_call.hpp"

extern "C" const Elf64_Ehdr __ehdr_start __attribute__((visibility("hidden")));
extern "C" void unravel_return_from_signal();

namespace unravel::os {

namespace {

// As the kernel defines them; older headers do not have them.
constexpr int kSetDispatch = 59;
constexpr int kDispatchOn = 1;
constexpr int kByDispatch = 2;  // siginfo: the signal of a caught call
constexpr char kAllow = 0;
constexpr char kCatch = 1;

constexpr long kInstructionSize = 2;
constexpr std::uint64_t kOwnSignal = std::uint64_t{1} << (SIGSYS - 1);

struct Range {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
};

CallHandler handle = nullptr;
SignalHandler handle_other = nullptr;
Range own;
Range loader;
__thread volatile char selector = kAllow;

/// The code of a loaded file, from its first byte.
Range code_of(const Elf64_Ehdr& file) {
  const auto base = reinterpret_cast<std::uintptr_t>(&file);
  const auto* segments = reinterpret_cast<const Elf64_Phdr*>(base + file.e_phoff);
  Range code;
  for (int i = 0; i < file.e_phnum; ++i) {
    if (segments[i].p_type != PT_LOAD || !(segments[i].p_flags & PF_X)) continue;
    code = {base + segments[i].p_vaddr, base + segments[i].p_vaddr + segments[i].p_memsz};
  }
  return code;
}

/// The kernel restores the mask when our handler returns, so it is changed there. SIGSYS is never
/// blocked: a call that is caught meanwhile would end the process.
long change_mask(const CaughtCall& call, ucontext_t& context) {
  auto& mask = *reinterpret_cast<std::uint64_t*>(&context.uc_sigmask);
  const std::uint64_t before = mask;
  if (const auto* given = reinterpret_cast<const std::uint64_t*>(call.arguments[1])) {
    const std::uint64_t set = *given;
    switch (call.arguments[0]) {
      case SIG_BLOCK: mask = before | set; break;
      case SIG_UNBLOCK: mask = before & ~set; break;
      case SIG_SETMASK: mask = set; break;
      default: return -EINVAL;
    }
    mask &= ~kOwnSignal;
  }
  if (auto* old = reinterpret_cast<std::uint64_t*>(call.arguments[2])) *old = before;
  return 0;
}

/// Calls that make a thread or process return twice, or on another stack: the thread makes them
/// itself.
bool makes_thread(long number) {
  return number == SYS_clone || number == SYS_clone3 || number == SYS_fork || number == SYS_vfork;
}

void on_signal(int number, siginfo_t* info, void* given) {
  if (info->si_code != kByDispatch) return handle_other(number, info, given);
  auto& context = *static_cast<ucontext_t*>(given);
  greg_t* registers = context.uc_mcontext.gregs;
  const CaughtCall call{.number = registers[REG_RAX],
                        .arguments = {registers[REG_RDI], registers[REG_RSI], registers[REG_RDX],
                                      registers[REG_R10], registers[REG_R8], registers[REG_R9]},
                        .place = static_cast<std::uintptr_t>(registers[REG_RIP])};
  if (call.number == SYS_rt_sigreturn) {
    registers[REG_RIP] = reinterpret_cast<greg_t>(unravel_return_from_signal);
  } else if (makes_thread(call.number)) {
    selector = kAllow;
    registers[REG_RIP] -= kInstructionSize;
  } else if (call.number == SYS_rt_sigprocmask) {
    registers[REG_RAX] = change_mask(call, context);
  } else if (call.number == SYS_rt_sigaction && call.arguments[0] == SIGSYS && call.arguments[1]) {
    registers[REG_RAX] = 0;  // this handler stays, and passes other signals on
  } else {
    registers[REG_RAX] = handle(call);
  }
}

/// A handler as the kernel takes it.
struct KernelAction {
  void (*handler)(int, siginfo_t*, void*);
  unsigned long flags;
  void (*restorer)();
  std::uint64_t mask;
};

bool dispatch() {
  selector = kAllow;
  const long answer =
      call(SYS_prctl, kSetDispatch, kDispatchOn, static_cast<long>(own.begin),
           static_cast<long>(own.end - own.begin), reinterpret_cast<long>(&selector));
  if (answer != 0) return false;
  selector = kCatch;
  return true;
}

}  // namespace

bool catch_calls(CallHandler handler, SignalHandler others) {
  handle_other = others;
  own = code_of(__ehdr_start);
  if (const unsigned long base = getauxval(AT_BASE)) {
    loader = code_of(*reinterpret_cast<const Elf64_Ehdr*>(base));
  }
  constexpr unsigned long kRestorer = 0x0400'0000;
  // On the stack for fatal signals: the thread's own may be small.
  const KernelAction action{on_signal, SA_SIGINFO | SA_NODEFER | SA_ONSTACK | kRestorer,
                            unravel_return_from_signal, 0};
  if (call(SYS_rt_sigaction, SIGSYS, as_argument(&action), 0, sizeof(action.mask)) != 0)
    return false;
  handle = handler;
  if (dispatch()) return true;
  handle = nullptr;
  return false;
}

void catch_calls_here() {
  if (handle) dispatch();
}

void let_calls_pass() { selector = kAllow; }

void catch_calls_again() {
  if (handle) selector = kCatch;
}

bool is_loader(std::uintptr_t place) { return place > loader.begin && place <= loader.end; }

}  // namespace unravel::os
