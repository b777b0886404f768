/// The signal functions of System V and BSD, implemented with sigaction() and the like.
#include <errno.h>
#include <signal.h>

#include "runtime/os/real.hpp"
#include "runtime/process/runtime.hpp"

namespace unravel {

namespace {

bool is_valid(int number, __sighandler_t handler) {
  if (handler != SIG_ERR && number >= 1 && number < NSIG) return true;
  errno = EINVAL;
  return false;
}

/// Returns the former handler, or SIG_ERR.
__sighandler_t set_handler(int number, __sighandler_t handler, int flags, const sigset_t& mask) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_mask = mask;
  action.sa_flags = flags;
  struct sigaction old {};
  return sigaction(number, &action, &old) == 0 ? old.sa_handler : SIG_ERR;
}

/// Returns -1 with errno if there is no such signal.
int change_mask(int how, int number, sigset_t* old) {
  sigset_t set;
  sigemptyset(&set);
  return sigaddset(&set, number) < 0 ? -1 : sigprocmask(how, &set, old);
}

/// An old-style set has only these bits.
sigset_t old_set(int bits) { return set_of(static_cast<unsigned>(bits)); }

int change_old_mask(int how, int bits) {
  const sigset_t set = old_set(bits);
  sigset_t before{};
  return sigprocmask(how, &set, &before) < 0 ? -1 : static_cast<int>(bits_of(before));
}

}  // namespace

}  // namespace unravel

using namespace unravel;

UNRAVEL_EXPORT __sighandler_t signal(int number, __sighandler_t handler) noexcept {
  if (!controlled_thread()) return real::signal(number, handler);
  if (!is_valid(number, handler)) return SIG_ERR;
  const bool interrupts = runtime().signals().interrupting & signal_bit(number);
  return set_handler(number, handler, interrupts ? 0 : SA_RESTART, set_of(signal_bit(number)));
}

UNRAVEL_EXPORT __sighandler_t bsd_signal(int number, __sighandler_t handler) noexcept {
  return signal(number, handler);
}

UNRAVEL_EXPORT __sighandler_t ssignal(int number, __sighandler_t handler) noexcept {
  return signal(number, handler);
}

/// signal() in a program that is compiled for ISO C or POSIX alone.
UNRAVEL_EXPORT __sighandler_t __sysv_signal(int number, __sighandler_t handler) noexcept {
  if (!is_valid(number, handler)) return SIG_ERR;
  constexpr int kInterrupts = 0x20000000;  // SA_INTERRUPT: glibc sets it, and nothing reads it
  return set_handler(number, handler, SA_RESETHAND | SA_NODEFER | kInterrupts, sigset_t{});
}

UNRAVEL_EXPORT __sighandler_t sysv_signal(int number, __sighandler_t handler) noexcept {
  return __sysv_signal(number, handler);
}

UNRAVEL_EXPORT int siginterrupt(int number, int interrupts) noexcept {
  struct sigaction action {};
  if (sigaction(number, nullptr, &action) < 0) return -1;
  action.sa_flags = interrupts ? action.sa_flags & ~SA_RESTART : action.sa_flags | SA_RESTART;
  if (sigaction(number, &action, nullptr) < 0) return -1;
  if (!controlled_thread()) return 0;
  std::uint64_t& interrupting = runtime().signals().interrupting;
  interrupting &= ~signal_bit(number);
  if (interrupts) interrupting |= signal_bit(number);
  return 0;
}

UNRAVEL_EXPORT __sighandler_t sigset(int number, __sighandler_t handler) noexcept {
  sigset_t before{};
  if (handler == SIG_HOLD) {
    if (change_mask(SIG_BLOCK, number, &before) < 0) return SIG_ERR;
    if (sigismember(&before, number)) return SIG_HOLD;
    struct sigaction old {};
    return sigaction(number, nullptr, &old) < 0 ? SIG_ERR : old.sa_handler;
  }
  if (!is_valid(number, handler)) return SIG_ERR;
  const __sighandler_t old = set_handler(number, handler, 0, sigset_t{});
  if (old == SIG_ERR || change_mask(SIG_UNBLOCK, number, &before) < 0) return SIG_ERR;
  return sigismember(&before, number) ? SIG_HOLD : old;
}

UNRAVEL_EXPORT int sighold(int number) noexcept { return change_mask(SIG_BLOCK, number, nullptr); }

UNRAVEL_EXPORT int sigrelse(int number) noexcept {
  return change_mask(SIG_UNBLOCK, number, nullptr);
}

UNRAVEL_EXPORT int sigignore(int number) noexcept {
  return set_handler(number, SIG_IGN, 0, sigset_t{}) == SIG_ERR ? -1 : 0;
}

/// `is_number`: the argument is a signal to unblock, else the whole mask.
UNRAVEL_EXPORT int __sigpause(int number_or_set, int is_number) {
  sigset_t set = old_set(number_or_set);
  if (is_number) {
    if (sigprocmask(SIG_BLOCK, nullptr, &set) < 0) return -1;
    if (sigdelset(&set, number_or_set) < 0) return -1;
  }
  return sigsuspend(&set);
}

/// <signal.h> maps it to other names, depending on how the program is compiled.
UNRAVEL_EXPORT int old_sigpause(int set) asm("sigpause");
int old_sigpause(int set) { return __sigpause(set, 0); }

UNRAVEL_EXPORT int __xpg_sigpause(int number) { return __sigpause(number, 1); }

UNRAVEL_EXPORT int old_sigblock(int set) noexcept asm("sigblock");
int old_sigblock(int set) noexcept { return change_old_mask(SIG_BLOCK, set); }

UNRAVEL_EXPORT int old_sigsetmask(int set) noexcept asm("sigsetmask");
int old_sigsetmask(int set) noexcept { return change_old_mask(SIG_SETMASK, set); }

UNRAVEL_EXPORT int old_siggetmask() noexcept asm("siggetmask");
int old_siggetmask() noexcept { return change_old_mask(SIG_BLOCK, 0); }
