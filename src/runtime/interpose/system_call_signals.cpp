/// System calls by number about signals and timers, and those that wait with a mask. The kernel's
/// structures are smaller than those of the functions.
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "runtime/interpose/signal.hpp"
#include "runtime/interpose/system_calls.hpp"
#include "runtime/process/runtime.hpp"
#include "runtime/process/signals.hpp"

// libc's header declares it without extern "C".
extern "C" int pidfd_send_signal(int descriptor, int signal, siginfo_t* info,
                                 unsigned flags) noexcept;

namespace unravel {

namespace {

using Arguments = SystemCallArguments;

/// The kernel's struct sigaction.
struct KernelAction {
  void (*handler)(int);
  unsigned long flags;
  void (*restorer)();
  std::uint64_t mask;
};

long fail(int error) {
  errno = error;
  return -1;
}

bool is_size(long size) { return size == sizeof(std::uint64_t); }

/// Converts a set of the kernel's for the functions; null stays null.
class Set {
 public:
  explicit Set(long bits) : given_(bits) {
    if (bits) set_ = set_of(*argument_as<const std::uint64_t*>(bits));
  }
  [[nodiscard]] const sigset_t* get() const { return given_ ? &set_ : nullptr; }

 private:
  long given_;
  sigset_t set_{};
};

void give(long to, const sigset_t& set) {
  if (to) *argument_as<std::uint64_t*>(to) = bits_of(set);
}

long set_action(const Arguments& a) {
  if (!is_size(a[3])) return fail(EINVAL);
  struct sigaction action {};
  if (const auto* wanted = argument_as<const KernelAction*>(a[1])) {
    action.sa_handler = wanted->handler;
    action.sa_flags = static_cast<int>(wanted->flags);
    action.sa_mask = set_of(wanted->mask);
  }
  struct sigaction old {};
  const long result = sigaction(static_cast<int>(a[0]), a[1] ? &action : nullptr, &old);
  if (result == 0 && a[2]) {
    *argument_as<KernelAction*>(a[2]) = {.handler = old.sa_handler,
                                         .flags = static_cast<unsigned long>(old.sa_flags),
                                         .restorer = old.sa_restorer,
                                         .mask = bits_of(old.sa_mask)};
  }
  return result;
}

long set_mask(const Arguments& a) {
  if (!is_size(a[3])) return fail(EINVAL);
  const Set set(a[1]);
  sigset_t old{};
  const long result = sigprocmask(static_cast<int>(a[0]), set.get(), &old);
  if (result == 0) give(a[2], old);
  return result;
}

long tell_pending(const Arguments& a) {
  if (!is_size(a[1])) return fail(EINVAL);
  sigset_t set{};
  const long result = sigpending(&set);
  if (result == 0) give(a[0], set);
  return result;
}

long wait_for_signal(const Arguments& a) {
  if (!is_size(a[3])) return fail(EINVAL);
  const Set set(a[0]);
  return sigtimedwait(set.get(), argument_as<siginfo_t*>(a[1]), argument_as<const timespec*>(a[2]));
}

long suspend(const Arguments& a) {
  if (!is_size(a[1])) return fail(EINVAL);
  const Set set(a[0]);
  return sigsuspend(set.get());
}

long read_signals(long descriptor, long mask, long size, long flags) {
  if (!is_size(size)) return fail(EINVAL);
  const Set set(mask);
  return signalfd(static_cast<int>(descriptor), set.get(), static_cast<int>(flags));
}

long poll_under_mask(const Arguments& a) {
  const Set mask(a[3]);
  return ppoll(argument_as<pollfd*>(a[0]), static_cast<nfds_t>(a[1]),
               argument_as<const timespec*>(a[2]), mask.get());
}

long select_under_mask(const Arguments& a) {
  struct Masked {
    long mask;
    long size;
  };
  const auto* masked = argument_as<const Masked*>(a[5]);
  const Set mask(masked ? masked->mask : 0);
  return pselect(static_cast<int>(a[0]), argument_as<fd_set*>(a[1]), argument_as<fd_set*>(a[2]),
                 argument_as<fd_set*>(a[3]), argument_as<const timespec*>(a[4]), mask.get());
}

long epoll_under_mask(const Arguments& a) {
  const Set mask(a[4]);
  return epoll_pwait(static_cast<int>(a[0]), argument_as<epoll_event*>(a[1]),
                     static_cast<int>(a[2]), static_cast<int>(a[3]), mask.get());
}

long epoll_under_mask_until(const Arguments& a) {
  const Set mask(a[4]);
  return epoll_pwait2(static_cast<int>(a[0]), argument_as<epoll_event*>(a[1]),
                      static_cast<int>(a[2]), argument_as<const timespec*>(a[3]), mask.get());
}

/// The kernel's timer ids are ints, and ours fit into one.
long make_timer(const Arguments& a) {
  timer_t id{};
  const long result = timer_create(static_cast<clockid_t>(a[0]), argument_as<sigevent*>(a[1]), &id);
  if (result == 0) *argument_as<int*>(a[2]) = static_cast<int>(reinterpret_cast<long>(id));
  return result;
}

Answer with_mask(long number, const Arguments& a) {
  switch (number) {
    case SYS_ppoll: return poll_under_mask(a);
    case SYS_pselect6: return select_under_mask(a);
    case SYS_epoll_pwait: return epoll_under_mask(a);
    case SYS_epoll_pwait2: return epoll_under_mask_until(a);
    case SYS_signalfd: return read_signals(a[0], a[1], a[2], 0);
    case SYS_signalfd4: return read_signals(a[0], a[1], a[2], a[3]);
    default: return {};
  }
}

Answer with_timer(long number, const Arguments& a) {
  const auto timer = argument_as<timer_t>(a[0]);
  switch (number) {
    case SYS_timer_create: return make_timer(a);
    case SYS_timer_settime:
      return timer_settime(timer, static_cast<int>(a[1]), argument_as<itimerspec*>(a[2]),
                           argument_as<itimerspec*>(a[3]));
    case SYS_timer_gettime: return timer_gettime(timer, argument_as<itimerspec*>(a[1]));
    case SYS_timer_getoverrun: return timer_getoverrun(timer);
    case SYS_timer_delete: return timer_delete(timer);
    default: return {};
  }
}

}  // namespace

Answer about_signals(long number, const SystemCallArguments& a) {
  switch (number) {
    case SYS_rt_sigaction: return set_action(a);
    case SYS_rt_sigprocmask: return set_mask(a);
    case SYS_rt_sigpending: return tell_pending(a);
    case SYS_rt_sigtimedwait: return wait_for_signal(a);
    case SYS_rt_sigsuspend: return suspend(a);
    case SYS_kill: return kill(static_cast<pid_t>(a[0]), static_cast<int>(a[1]));
    case SYS_tgkill:
      return tgkill(static_cast<pid_t>(a[0]), static_cast<pid_t>(a[1]), static_cast<int>(a[2]));
    case SYS_tkill:
      return send_to_thread(static_cast<pid_t>(a[0]), static_cast<int>(a[1]), UNRAVEL_SITE);
    case SYS_rt_sigqueueinfo:
      return queue_to_process(static_cast<pid_t>(a[0]), static_cast<int>(a[1]),
                              argument_as<siginfo_t*>(a[2]), UNRAVEL_SITE);
    case SYS_rt_tgsigqueueinfo:
      return queue_to_thread(static_cast<pid_t>(a[0]), static_cast<pid_t>(a[1]),
                             static_cast<int>(a[2]), argument_as<siginfo_t*>(a[3]), UNRAVEL_SITE);
    case SYS_pidfd_send_signal:
      return pidfd_send_signal(static_cast<int>(a[0]), static_cast<int>(a[1]),
                               argument_as<siginfo_t*>(a[2]), static_cast<unsigned>(a[3]));
    case SYS_pause: return pause();
    case SYS_sigaltstack:
      return sigaltstack(argument_as<const stack_t*>(a[0]), argument_as<stack_t*>(a[1]));
    default: break;
  }
  const Answer answer = with_mask(number, a);
  return answer.is_given ? answer : with_timer(number, a);
}

}  // namespace unravel
