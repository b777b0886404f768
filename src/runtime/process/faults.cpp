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

void on_fatal_signal(int number, siginfo_t* info, void* context) {
  const wire::Registers registers = registers_of(*static_cast<ucontext_t*>(context));
  runtime().note_failure(wire::FailureKind::kSignal, number, nullptr, &registers);
  struct sigaction original {};
  original.sa_handler = SIG_DFL;
  real::sigaction(number, &original, nullptr);
  // A fault happens again when we return; a signal that was sent must be sent again.
  if (info->si_code <= 0) {
    os::call(SYS_tgkill, getpid(), gettid(), number);
  }
}

/// The type of the exception that nobody caught; null if there is none.
const char* exception_type() {
  using CurrentType = void* (*)();
  const auto current =
      reinterpret_cast<CurrentType>(dlsym(RTLD_DEFAULT, "__cxa_current_exception_type"));
  void* type = current ? current() : nullptr;
  // std::type_info: a vtable, then the mangled name; '*' marks names that are unique by address.
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

void Faults::on_terminate() {
  const int kept = errno;
  runtime().note_failure(wire::FailureKind::kTerminate, 0, exception_type(), nullptr);
  errno = kept;
  runtime().faults().previous_terminate_();
}

void Faults::watch(void* signal_stack) {
  give_signal_stack(signal_stack);
  struct sigaction action {};
  action.sa_sigaction = on_fatal_signal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  for (std::size_t i = 0; i < kFatalCount; ++i) {
    real::sigaction(kFatal[i], &action, &inherited_[i]);
  }

  // A C program has no C++ library to ask.
  set_terminate_ = reinterpret_cast<SetTerminate>(dlsym(RTLD_DEFAULT, "_ZSt13set_terminatePFvvE"));
  if (set_terminate_) previous_terminate_ = set_terminate_(on_terminate);
}

void Faults::hand_back_signals(const void* signal_stack) const {
  for (std::size_t i = 0; i < kFatalCount; ++i) {
    struct sigaction now {};
    real::sigaction(kFatal[i], nullptr, &now);
    const bool ours = (now.sa_flags & SA_SIGINFO) && now.sa_sigaction == on_fatal_signal;
    if (ours) real::sigaction(kFatal[i], &inherited_[i], nullptr);
  }
  stack_t stack{};
  os::call(SYS_sigaltstack, 0, os::as_argument(&stack));
  if (stack.ss_sp != signal_stack) return;
  stack.ss_flags = SS_DISABLE;
  os::call(SYS_sigaltstack, os::as_argument(&stack), 0);
}

void Faults::hand_back_terminate() const {
  if (!set_terminate_) return;
  const TerminateHandler now = set_terminate_(previous_terminate_);
  if (now != on_terminate) set_terminate_(now);
}

}  // namespace unravel

using namespace unravel;

namespace {

/// A string built in place, cut off where it is full.
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
    runtime().note_failure(wire::FailureKind::kAssert, 0, text.c_str(), nullptr);
  }
  real::__assert_fail(expression, file, line, function);
  __builtin_unreachable();
}
