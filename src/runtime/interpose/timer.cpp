/// Timers that send signals or make descriptors readable, in virtual time.
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "runtime/interpose/beats.hpp"
#include "runtime/interpose/cpu_clock.hpp"
#include "runtime/interpose/deadline.hpp"
#include "runtime/interpose/errno_keeper.hpp"
#include "runtime/interpose/pass_through.hpp"
#include "runtime/interpose/thread.hpp"
#include "runtime/os/real.hpp"
#include "runtime/os/system_call.hpp"

namespace unravel {

namespace {

using Timer = Timers::Timer;
using ClockKind = Timers::ClockKind;
using Notifies = Timers::Notifies;

Timers& timers() { return runtime().timers(); }

bool is_valid_length(const timeval& length) {
  return length.tv_sec >= 0 && length.tv_usec >= 0 && length.tv_usec < 1'000'000;
}

bool is_valid_setting(const itimerspec& value) {
  return value.it_value.tv_sec >= 0 && value.it_interval.tv_sec >= 0 && is_valid(value.it_value) &&
         is_valid(value.it_interval);
}

std::uint64_t length_of(const timeval& length) {
  return nanoseconds(timespec{.tv_sec = length.tv_sec, .tv_nsec = length.tv_usec * 1000});
}

timeval timeval_of(std::uint64_t nanoseconds) {
  // The remaining time is never shown as 0.
  const timespec exact = timespec_of(nanoseconds && nanoseconds < 1000 ? 1000 : nanoseconds);
  return {.tv_sec = exact.tv_sec, .tv_usec = exact.tv_nsec / 1000};
}

void arm(Thread& self, int index, std::uint64_t first, std::uint64_t interval) {
  scheduler().hook(self);
  timers().set(index, first ? deadline_after(scheduler().time(), first) : kNever, interval);
}

/// The same for a value of timer_settime() or timerfd_settime(), which may be an absolute time of a
/// clock.
void arm(Thread& self, int index, const itimerspec& value, bool is_moment) {
  const std::uint64_t first = nanoseconds(value.it_value);
  const std::uint64_t interval = nanoseconds(value.it_interval);
  if (!first || !is_moment) return arm(self, index, first, interval);
  const ClockKind kind = timers().at(index).clock;
  const VirtualTime& time = scheduler().time();
  std::uint64_t due = kind == ClockKind::kRealtime ? time.from_realtime(first) : first;
  if (kind == ClockKind::kCpu) due += runtime().settings().start_monotonic;
  arm(self, index, due > time.now() ? due - time.now() : 1, interval);
  timers().at(index).is_date = kind == ClockKind::kRealtime;
}

/// The timer of setitimer(); kNone: there is no such timer.
int index_of(__itimer_which_t which) {
  switch (which) {
    case ITIMER_REAL: return Timers::kAlarm;
    case ITIMER_VIRTUAL: return Timers::kVirtual;
    case ITIMER_PROF: return Timers::kProfile;
  }
  return Timers::kNone;
}

itimerspec shown(int index) {
  return {.it_interval = timespec_of(timers().at(index).interval),
          .it_value = timespec_of(timers().left(index))};
}

itimerval shown_in_microseconds(int index) {
  return {.it_interval = timeval_of(timers().at(index).interval),
          .it_value = timeval_of(timers().left(index))};
}

/// The ids of timer_create() are indices.
bool is_known(timer_t id) {
  const auto index = reinterpret_cast<std::uintptr_t>(id);
  return index > Timers::kProfile && timers().is_used(index);
}

/// The timer of `descriptor`, or of the descriptor that it is a copy of.
int find_timer(int descriptor) {
  return timers().find(runtime().outsiders().descriptions().original_of(descriptor));
}

int index_of(timer_t id) { return static_cast<int>(reinterpret_cast<std::uintptr_t>(id)); }

ClockKind kind_of(clockid_t clock) {
  if (clock < 0 || clock == CLOCK_PROCESS_CPUTIME_ID || clock == CLOCK_THREAD_CPUTIME_ID) {
    return ClockKind::kCpu;
  }
  return is_realtime(clock) ? ClockKind::kRealtime : ClockKind::kMonotonic;
}

/// The kernel's error for such a timer; 0: it would create it.
int create_error(clockid_t clock, const sigevent& event) {
  sigevent asked = event;
  if (asked.sigev_notify == SIGEV_THREAD) asked.sigev_notify = SIGEV_NONE;
  int id = 0;
  const long error =
      os::call(SYS_timer_create, clock, os::as_argument(&asked), os::as_argument(&id));
  if (error == 0) os::call(SYS_timer_delete, id);
  return static_cast<int>(-error);
}

bool has_function_due(const Op&, const Thread&) { return timers().is_any_function_due(); }

/// Calls the functions of timers, each in a new thread, like libc's own helper.
void* call_functions(void*) {
  Thread& self = *controlled_thread();
  runtime().signals().replace_mask(self, ~std::uint64_t{0});
  for (;;) {
    const Op op{.kind = wire::Operation::kSignalWait,
                .object = timers().functions(),
                .site = reinterpret_cast<const void*>(call_functions),
                .can = has_function_due,
                .number = SIGALRM};
    scheduler().reach(self, op);
    const int index = timers().take_function();
    const Timer timer = index == Timers::kNone ? Timer{} : timers().at(index);
    did(self, op, 0);
    if (!timer.function) continue;
    // A function that takes one word and returns nothing is called like one that returns a pointer.
    void* function = reinterpret_cast<void*>(timer.function);
    const auto routine = reinterpret_cast<void* (*)(void*)>(function);
    pthread_t thread = 0;
    create_thread(self, &thread, &timer.attributes, routine, timer.value.sival_ptr, function);
  }
}

/// Creates the thread that calls functions, unless it exists.
int start_calling(Thread& self, const void* site) {
  if (timers().has_caller) return 0;
  pthread_attr_t attributes;
  copy_attributes(nullptr, &attributes);
  pthread_t thread = 0;
  const int error = create_thread(self, &thread, &attributes, call_functions, nullptr, site);
  timers().has_caller = error == 0;
  return error;
}

}  // namespace

}  // namespace unravel

using namespace unravel;

UNRAVEL_EXPORT unsigned alarm(unsigned seconds) noexcept {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::alarm, seconds);
  const std::uint64_t rest = timers().left(Timers::kAlarm);
  arm(*self, Timers::kAlarm, seconds * kNanosecondsPerSecond, 0);
  // Rounded like in the kernel, and never to 0.
  const auto rounded = (rest + kNanosecondsPerSecond / 2) / kNanosecondsPerSecond;
  return static_cast<unsigned>(rest && !rounded ? 1 : rounded);
}

UNRAVEL_EXPORT int setitimer(__itimer_which_t which, const itimerval* value,
                             itimerval* old) noexcept {
  Thread* self = controlled_thread();
  const int index = index_of(which);
  if (!self || index == Timers::kNone)
    return pass_through(UNRAVEL_SITE, real::setitimer, which, value, old);
  const itimerval none{};
  if (!value) value = &none;  // the kernel accepts null, too
  if (!is_valid_length(value->it_value) || !is_valid_length(value->it_interval)) {
    errno = EINVAL;
    return -1;
  }
  const itimerval before = shown_in_microseconds(index);
  arm(*self, index, length_of(value->it_value), length_of(value->it_interval));
  if (old) *old = before;
  return 0;
}

UNRAVEL_EXPORT int getitimer(__itimer_which_t which, itimerval* value) noexcept {
  const int index = index_of(which);
  if (!controlled_thread() || index == Timers::kNone || !value)
    return real::getitimer(which, value);
  *value = shown_in_microseconds(index);
  return 0;
}

UNRAVEL_EXPORT int timer_create(clockid_t clock, sigevent* event, timer_t* id) noexcept {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::timer_create, clock, event, id);
  ErrnoKeeper keeper;
  sigevent standard{};
  standard.sigev_notify = SIGEV_SIGNAL;
  standard.sigev_signo = SIGALRM;
  const sigevent& asked = event ? *event : standard;
  if (const int error = create_error(clock, asked)) return keeper.fail(error);
  if (is_cpu_clock_of_others(clock)) return keeper.fail(ENOTSUP);
  const bool calls = asked.sigev_notify == SIGEV_THREAD;
  if (calls && start_calling(*self, UNRAVEL_SITE) != 0) return keeper.fail(EAGAIN);
  const int index = timers().take();
  if (index == Timers::kNone) return keeper.fail(EAGAIN);

  Timer& timer = timers().at(index);
  timer.clock = kind_of(clock);
  timer.signal = asked.sigev_signo;
  timer.value = asked.sigev_value;
  if (!event) timer.value.sival_int = index;
  switch (asked.sigev_notify) {
    case SIGEV_SIGNAL: timer.notifies = Notifies::kProcess; break;
    case SIGEV_THREAD_ID:
      timer.notifies = Notifies::kThread;
      for (std::uint32_t slot = 0; slot < scheduler().threads().slots(); ++slot) {
        const Thread* thread = scheduler().threads().by_slot()[slot];
        const bool meant = thread->in_use && thread->kernel_id == asked._sigev_un._tid;
        if (meant) timer.thread = thread->ordinal;
      }
      break;
    case SIGEV_THREAD:
      timer.notifies = Notifies::kFunction;
      timer.function = asked.sigev_notify_function;
      copy_attributes(asked.sigev_notify_attributes, &timer.attributes);
      break;
    default: break;
  }
  *id = reinterpret_cast<timer_t>(static_cast<std::uintptr_t>(index));
  return 0;
}

UNRAVEL_EXPORT int timer_settime(timer_t id, int flags, const itimerspec* value,
                                 itimerspec* old) noexcept {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::timer_settime, id, flags, value, old);
  ErrnoKeeper keeper;
  if (!value || !is_valid_setting(*value) || !is_known(id)) return keeper.fail(EINVAL);
  const itimerspec before = shown(index_of(id));
  arm(*self, index_of(id), *value, flags & TIMER_ABSTIME);
  if (old) *old = before;
  return 0;
}

UNRAVEL_EXPORT int timer_gettime(timer_t id, itimerspec* value) noexcept {
  if (!controlled_thread()) return pass_through(UNRAVEL_SITE, real::timer_gettime, id, value);
  ErrnoKeeper keeper;
  if (!is_known(id)) return keeper.fail(EINVAL);
  if (!value) return keeper.fail(EFAULT);
  *value = shown(index_of(id));
  return 0;
}

UNRAVEL_EXPORT int timer_getoverrun(timer_t id) noexcept {
  if (!controlled_thread()) return pass_through(UNRAVEL_SITE, real::timer_getoverrun, id);
  ErrnoKeeper keeper;
  if (!is_known(id)) return keeper.fail(EINVAL);
  return static_cast<int>(timers().at(index_of(id)).notice.last_overruns);
}

UNRAVEL_EXPORT int timer_delete(timer_t id) noexcept {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::timer_delete, id);
  ErrnoKeeper keeper;
  if (!is_known(id)) return keeper.fail(EINVAL);
  scheduler().hook(*self);
  timers().forget(index_of(id));
  return 0;
}

// --- timerfd: an eventfd of ours can be read and polled in its place -----------------------------

UNRAVEL_EXPORT int timerfd_create(clockid_t clock, int flags) noexcept {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::timerfd_create, clock, flags);
  ErrnoKeeper keeper;
  // The kernel checks clock and flags.
  const long probe = os::call(SYS_timerfd_create, clock, flags);
  if (probe < 0) return keeper.fail(static_cast<int>(-probe));
  os::call(SYS_close, probe);
  static_assert(int{TFD_CLOEXEC} == EFD_CLOEXEC && int{TFD_NONBLOCK} == EFD_NONBLOCK);
  const long descriptor = os::call(SYS_eventfd2, 0, flags);
  if (descriptor < 0) return keeper.fail(static_cast<int>(-descriptor));
  const int index = timers().take();
  if (index == Timers::kNone) {
    os::call(SYS_close, descriptor);
    return keeper.fail(EMFILE);
  }
  scheduler().hook(*self);
  timers().at(index).notifies = Notifies::kDescriptor;
  timers().at(index).descriptor = static_cast<int>(descriptor);
  timers().at(index).clock = kind_of(clock);
  runtime().outsiders().record_inside(static_cast<int>(descriptor));
  return static_cast<int>(descriptor);
}

UNRAVEL_EXPORT int timerfd_settime(int descriptor, int flags, const itimerspec* value,
                                   itimerspec* old) noexcept {
  Thread* self = controlled_thread();
  const int index = self ? find_timer(descriptor) : Timers::kNone;
  if (index == Timers::kNone)
    return pass_through(UNRAVEL_SITE, real::timerfd_settime, descriptor, flags, value, old);
  ErrnoKeeper keeper;
  if (!value) return keeper.fail(EFAULT);
  if (!is_valid_setting(*value) || (flags & ~(TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET))) {
    return keeper.fail(EINVAL);
  }
  const itimerspec before = shown(index);
  // Drops what it has counted so far.
  const long mode = os::call(SYS_fcntl, descriptor, F_GETFL);
  os::call(SYS_fcntl, descriptor, F_SETFL, mode | O_NONBLOCK);
  std::uint64_t counted = 0;
  os::call(SYS_read, descriptor, os::as_argument(&counted), sizeof(counted));
  os::call(SYS_fcntl, descriptor, F_SETFL, mode);

  arm(*self, index, *value, flags & TFD_TIMER_ABSTIME);
  if (old) *old = before;
  return 0;
}

UNRAVEL_EXPORT int timerfd_gettime(int descriptor, itimerspec* value) noexcept {
  const int index = controlled_thread() ? find_timer(descriptor) : Timers::kNone;
  if (index == Timers::kNone)
    return pass_through(UNRAVEL_SITE, real::timerfd_gettime, descriptor, value);
  *value = shown(index);
  return 0;
}
