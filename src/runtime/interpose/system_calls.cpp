/// syscall(): a call by number gets the same answer as the function of the same meaning.
/// src/runtime/surface/system_calls.txt says which calls have such a function, which only cause a
/// warning and which are passed on.
#include "runtime/interpose/system_calls.hpp"

#include <errno.h>
#include <sched.h>
#include <stdarg.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/times.h>
#include <sys/timex.h>
#include <time.h>
#include <unistd.h>

#include "runtime/interpose/beats.hpp"
#include "runtime/interpose/fork.hpp"
#include "runtime/interpose/futex.hpp"
#include "runtime/interpose/time.hpp"
#include "runtime/os/system_call.hpp"

namespace unravel {

namespace {

using Arguments = SystemCallArguments;

template <class T>
T* pointer(long argument) {
  return argument_as<T*>(argument);
}

/// Converts an error number into the answer of a system call.
long by_number(int error) {
  if (error == 0) return 0;
  errno = error;
  return -1;
}

/// Clocks, sleeps and timers: they use virtual time.
Answer about_time(long number, const Arguments& a) {
  const auto clock = static_cast<clockid_t>(a[0]);
  const auto which = static_cast<__itimer_which_t>(a[0]);
  switch (number) {
    case SYS_clock_gettime: return clock_gettime(clock, pointer<timespec>(a[1]));
    case SYS_gettimeofday: return gettimeofday(pointer<timeval>(a[0]), pointer<void>(a[1]));
    case SYS_time: return time(pointer<time_t>(a[0]));
    case SYS_times: return times(pointer<tms>(a[0]));
    case SYS_getrusage: return getrusage(static_cast<__rusage_who_t>(a[0]), pointer<rusage>(a[1]));
    case SYS_clock_settime: return clock_settime(clock, pointer<timespec>(a[1]));
    case SYS_settimeofday:
      return settimeofday(pointer<timeval>(a[0]), pointer<struct timezone>(a[1]));
    case SYS_adjtimex: return adjtimex(pointer<timex>(a[0]));
    case SYS_clock_adjtime: return clock_adjtime(clock, pointer<timex>(a[1]));
    case SYS_sysinfo: return sysinfo(pointer<struct sysinfo>(a[0]));
    case SYS_nanosleep: return nanosleep(pointer<timespec>(a[0]), pointer<timespec>(a[1]));
    case SYS_clock_nanosleep:
      return by_number(clock_nanosleep(clock, static_cast<int>(a[1]), pointer<timespec>(a[2]),
                                       pointer<timespec>(a[3])));
    case SYS_alarm: return alarm(static_cast<unsigned>(a[0]));
    case SYS_setitimer: return setitimer(which, pointer<itimerval>(a[1]), pointer<itimerval>(a[2]));
    case SYS_getitimer: return getitimer(which, pointer<itimerval>(a[1]));
    case SYS_timerfd_create: return timerfd_create(clock, static_cast<int>(a[1]));
    case SYS_timerfd_settime:
      return timerfd_settime(static_cast<int>(a[0]), static_cast<int>(a[1]),
                             pointer<itimerspec>(a[2]), pointer<itimerspec>(a[3]));
    case SYS_timerfd_gettime:
      return timerfd_gettime(static_cast<int>(a[0]), pointer<itimerspec>(a[1]));
    default: return {};
  }
}

/// Other answers that differ from run to run: the CPU, random bytes.
Answer about_identity(long number, const Arguments& a) {
  const auto id = static_cast<pid_t>(a[0]);
  const auto size = static_cast<std::size_t>(a[1]);
  switch (number) {
    case SYS_getrandom: return getrandom(pointer<void>(a[0]), size, static_cast<unsigned>(a[2]));
    case SYS_getcpu: return getcpu(pointer<unsigned>(a[0]), pointer<unsigned>(a[1]));
    case SYS_sched_setaffinity: return sched_setaffinity(id, size, pointer<cpu_set_t>(a[2]));
    case SYS_sched_getaffinity: {
      // The kernel returns how many bytes of the set it has written.
      const int error = sched_getaffinity(id, size, pointer<cpu_set_t>(a[2]));
      return error ? error : static_cast<long>(sizeof(std::uint64_t));
    }
    default: return {};
  }
}

Answer answer(Thread& self, long number, const Arguments& arguments, const void* site) {
  if (number == SYS_futex) return futex(self, arguments, site);
  if (number == SYS_futex_waitv) return futex_waitv(self, arguments, site);
  if (number == SYS_sched_yield) {
    yield(self, site);
    return 0;
  }
  if (number == SYS_fork || number == SYS_vfork || number == SYS_clone || number == SYS_clone3) {
    return make_child(self, number, arguments, site);
  }
  for (const auto ask : {about_time, about_identity, by_function, about_signals}) {
    const Answer given = ask(number, arguments);
    if (given.is_given) return given;
  }
  return {};
}

/// What a call does that cannot be controlled; null: nothing.
const char* what_escapes(long number) {
  switch (number) {
    case SYS_io_uring_setup:
    case SYS_io_uring_enter:
    case SYS_io_uring_register: return "io_uring, by the system call";
    case SYS_io_setup:
    case SYS_io_submit:
    case SYS_io_getevents:
    case SYS_io_pgetevents:
    case SYS_io_cancel:
    case SYS_io_destroy: return "the kernel's aio, by the system call";
    case SYS_userfaultfd: return "userfaultfd, by the system call";
    case SYS_exit: return "the end of a thread, by the system call";
    case SYS_set_tid_address: return "set_tid_address, by the system call";
    case SYS_openat2: return "openat2, by the system call";
    default: return nullptr;
  }
}

/// No call by number is a cancellation point, but a thread of the asynchronous type may end
/// anywhere.
class NotCancelled {
 public:
  explicit NotCancelled(Thread& self) : self_(self), before_(self.cancel.disabled) {
    self.cancel.disabled = before_ || !self.cancel.asynchronous;
  }
  ~NotCancelled() { self_.cancel.disabled = before_; }
  NotCancelled(const NotCancelled&) = delete;
  NotCancelled& operator=(const NotCancelled&) = delete;

 private:
  Thread& self_;
  bool before_;
};

}  // namespace

}  // namespace unravel

using namespace unravel;

UNRAVEL_EXPORT long syscall(long number, ...) noexcept {
  va_list list;
  va_start(list, number);
  long arguments[6];
  for (long& argument : arguments) argument = va_arg(list, long);
  va_end(list);

  if (Thread* self = controlled_thread()) {
    if (const char* what = what_escapes(number)) runtime().warn_uncontrolled(what);
    const NotCancelled as_the_kernel(*self);
    const Answer ours = answer(*self, number, arguments, UNRAVEL_SITE);
    if (ours.is_given) return ours.value;
  }
  const long result = os::call(number, arguments[0], arguments[1], arguments[2], arguments[3],
                               arguments[4], arguments[5]);
  constexpr long kHighestError = 4095;
  if (result < 0 && result >= -kHighestError) {
    errno = static_cast<int>(-result);
    return -1;
  }
  return result;
}
