#include "runtime/process/faults.hpp"

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <ucontext.h>
#include <unistd.h>

#include <cstring>

#include "runtime/os/real.hpp"
#include "runtime/os/system_call.hpp"
#include "runtime/process/runtime.hpp"

namespace unravel {

namespace {

wire::Registers registers_of(const ucontext_t& context) {
  const auto& r = context.uc_mcontext.gregs;
  const auto get = [&r](int name) { return static_cast<std::uint64_t>(r[name]); };
  return {.rip = get(REG_RIP),
          .rsp = get(REG_RSP),
          .rbp = get(REG_RBP),
          .rbx = get(REG_RBX),
          .r12 = get(REG_R12),
          .r13 = get(REG_R13),
          .r14 = get(REG_R14),
          .r15 = get(REG_R15),
          .rax = get(REG_RAX),
          .rcx = get(REG_RCX),
          .rdx = get(REG_RDX),
          .rsi = get(REG_RSI),
          .rdi = get(REG_RDI),
          .r8 = get(REG_R8),
          .r9 = get(REG_R9),
          .r10 = get(REG_R10),
          .r11 = get(REG_R11),
          .full = 1};
}

/// Whether the kernel raises the signal again when the same instruction runs again.
bool comes_again(int number, const siginfo_t& info) {
  const bool raised = info.si_code > 0;
  return raised && number != SIGTRAP && number != SIGSYS;
}

void on_fault(int number, siginfo_t* info, void* context) {
  const int kept = errno;
  auto& interrupted = *static_cast<ucontext_t*>(context);
  Signals& signals = runtime().signals();
  const bool was_sent = info->si_code <= 0;
  const bool by_us = info->si_pid == os::call(SYS_getpid);
  if (was_sent && !by_us && signals.is_handled(number)) {
    return signals.record_fault_from_outside(number);  // its handler runs at a point
  }
  const bool aborts = was_sent && by_us && number == SIGABRT;
  if (aborts && current_thread) Signals::unblock_for_abort(*current_thread);
  const bool handled = signals.handle_fault(current_thread, number, info, &interrupted);
  if (!handled || aborts) {
    const wire::Registers registers = registers_of(interrupted);
    runtime().host().record_failure(wire::FailureKind::kSignal, number, nullptr, &registers);
  }
  if (!handled) {
    struct sigaction standard {};
    standard.sa_handler = SIG_DFL;
    real::sigaction(number, &standard, nullptr);
    if (!comes_again(number, *info)) {
      os::call(SYS_tgkill, os::call(SYS_getpid), os::call(SYS_gettid), number);
    }
  }
  errno = kept;  // in libc's abort(), after its handler has returned
}

/// The type of the uncaught exception; null if there is none.
const char* exception_type() {
  using CurrentType = void* (*)();
  const auto current =
      reinterpret_cast<CurrentType>(dlsym(RTLD_DEFAULT, "__cxa_current_exception_type"));
  void* type = current ? current() : nullptr;
  // std::type_info has a vtable, then the mangled name; '*' marks names that are unique by address.
  const char* name = type ? *reinterpret_cast<const char**>(static_cast<char*>(type) + 8) : nullptr;
  return name && *name == '*' ? name + 1 : name;
}

}  // namespace

void give_signal_stack(void* stack) {
  stack_t description{};
  description.ss_sp = stack;
  description.ss_size = kSignalStackSize;
  os::call(SYS_sigaltstack, os::as_argument(&description), 0);
}

void receive_fault(int number, bool on_signal_stack) {
  struct sigaction action {};
  action.sa_sigaction = on_fault;
  // We keep the mask ourselves: a second fault in a handler must reach us, too.
  action.sa_flags = SA_SIGINFO | SA_NODEFER | (on_signal_stack ? SA_ONSTACK : 0);
  real::sigaction(number, &action, nullptr);
}

void receive_other_fault(int number, siginfo_t* info, void* context) {
  on_fault(number, info, context);
}

void Faults::on_terminate() {
  const int kept = errno;
  runtime().host().record_failure(wire::FailureKind::kTerminate, 0, exception_type(), nullptr);
  errno = kept;
  runtime().faults().previous_terminate_();
}

void Faults::watch(void* signal_stack) {
  give_signal_stack(signal_stack);
  for (const int number : kFaults) receive_fault(number, /*on_signal_stack=*/true);

  // A C program has no C++ library.
  set_terminate_ = reinterpret_cast<SetTerminate>(dlsym(RTLD_DEFAULT, "_ZSt13set_terminatePFvvE"));
  if (set_terminate_) previous_terminate_ = set_terminate_(on_terminate);
}

void Faults::hand_back_terminate() const {
  if (!set_terminate_) return;
  const TerminateHandler now = set_terminate_(previous_terminate_);
  if (now != on_terminate) set_terminate_(now);
}

}  // namespace unravel

using namespace unravel;

namespace {

/// A string with a fixed buffer; it is cut off when the buffer is full.
class Text {
 public:
  Text& operator<<(const char* part) {
    while (part && *part && size_ + 1 < sizeof(text_)) text_[size_++] = *part++;
    return *this;
  }
  Text& operator<<(unsigned number) {
    char digits[12] = {};
    char* first = digits + sizeof(digits) - 1;
    do *--first = static_cast<char>('0' + number % 10);
    while (number /= 10);
    return *this << first;
  }
  [[nodiscard]] const char* c_str() const { return text_; }

 private:
  char text_[sizeof(wire::LastWords::text)] = {};
  std::size_t size_ = 0;
};

}  // namespace

UNRAVEL_EXPORT void __assert_fail(const char* expression, const char* file, unsigned line,
                                  const char* function) noexcept {
  if (controlled_thread()) {
    Text text;
    text << file << ":" << line << ": " << function << ": Assertion `" << expression << "' failed.";
    runtime().host().record_failure(wire::FailureKind::kAssert, 0, text.c_str(), nullptr);
  }
  real::__assert_fail(expression, file, line, function);
  __builtin_unreachable();
}
