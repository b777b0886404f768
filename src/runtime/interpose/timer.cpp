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
#include "runtime/interpose/errno_keeper.hpp"
#include "runtime/interpose/moment.hpp"
#include "runtime/os/real.hpp"
#include "runtime/os/system_call.hpp"

namespace unravel {

namespace {

using Timer = Timers::Timer;

Timers& timers() { return runtime().timers(); }

std::uint64_t length_of(const timeval& length) {
  return nanoseconds(timespec{.tv_sec = length.tv_sec, .tv_nsec = length.tv_usec * 1000});
}

timeval timeval_of(std::uint64_t nanoseconds) {
  const timespec exact = timespec_of(nanoseconds);
  return {.tv_sec = exact.tv_sec, .tv_usec = exact.tv_nsec / 1000};
}

void arm(Thread& self, int index, std::uint64_t first, std::uint64_t interval) {
  scheduler().hook(self);
  timers().set(index, first ? scheduler().time().now() + first : kNever, interval);
}

Timer& alarm_timer() {
  Timer& timer = timers().at(Timers::kAlarm);
  timer.signal = SIGALRM;
  return timer;
}

itimerspec shown(int index) {
  return {.it_interval = timespec_of(timers().at(index).interval),
          .it_value = timespec_of(timers().left(index))};
}

bool is_known(timer_t id) {
  const auto index = reinterpret_cast<std::uintptr_t>(id);
  return index > 0 && index < Timers::kMost;
}

/// The timer that `descriptor`, or what it is a copy of, counts for.
int find_timer(int descriptor) {
  return timers().find(runtime().outsiders().descriptions().original_of(descriptor));
}

int index_of(timer_t id) { return static_cast<int>(reinterpret_cast<std::uintptr_t>(id)); }

}  // namespace

}  // namespace unravel

using namespace unravel;

UNRAVEL_EXPORT unsigned alarm(unsigned seconds) noexcept {
  Thread* self = controlled_thread();
  if (!self) return real::alarm(seconds);
  alarm_timer();
  const std::uint64_t rest = timers().left(Timers::kAlarm);
  arm(*self, Timers::kAlarm, seconds * kNanosecondsPerSecond, 0);
  return static_cast<unsigned>((rest + kNanosecondsPerSecond - 1) / kNanosecondsPerSecond);
}

UNRAVEL_EXPORT int setitimer(__itimer_which_t which, const itimerval* value,
                             itimerval* old) noexcept {
  Thread* self = controlled_thread();
  if (!self || which != ITIMER_REAL) return real::setitimer(which, value, old);
  Timer& timer = alarm_timer();
  if (old)
    *old = {.it_interval = timeval_of(timer.interval),
            .it_value = timeval_of(timers().left(Timers::kAlarm))};
  arm(*self, Timers::kAlarm, length_of(value->it_value), length_of(value->it_interval));
  return 0;
}

UNRAVEL_EXPORT int getitimer(__itimer_which_t which, itimerval* value) noexcept {
  if (!controlled_thread() || which != ITIMER_REAL) return real::getitimer(which, value);
  const Timer& timer = alarm_timer();
  *value = {.it_interval = timeval_of(timer.interval),
            .it_value = timeval_of(timers().left(Timers::kAlarm))};
  return 0;
}

UNRAVEL_EXPORT int timer_create(clockid_t clock, sigevent* event, timer_t* id) noexcept {
  Thread* self = controlled_thread();
  const int notify = event ? event->sigev_notify : SIGEV_SIGNAL;
  // A thread of libc's own would run beside the turn.
  if (self && notify == SIGEV_THREAD) runtime().note_uncontrolled("a SIGEV_THREAD timer");
  if (!self || notify != SIGEV_SIGNAL) return real::timer_create(clock, event, id);
  const int index = timers().free_one();
  if (index == Timers::kNone) {
    errno = EAGAIN;
    return -1;
  }
  timers().at(index).signal = event ? event->sigev_signo : SIGALRM;
  timers().at(index).value = event ? event->sigev_value.sival_ptr : nullptr;
  *id = reinterpret_cast<timer_t>(static_cast<std::uintptr_t>(index));
  return 0;
}

UNRAVEL_EXPORT int timer_settime(timer_t id, int flags, const itimerspec* value,
                                 itimerspec* old) noexcept {
  Thread* self = controlled_thread();
  if (!self || !is_known(id)) return real::timer_settime(id, flags, value, old);
  if (old) *old = shown(index_of(id));
  std::uint64_t first = nanoseconds(value->it_value);
  if (first && (flags & TIMER_ABSTIME)) {
    const std::uint64_t now = scheduler().time().now();
    first = first > now ? first - now : 1;
  }
  arm(*self, index_of(id), first, nanoseconds(value->it_interval));
  return 0;
}

UNRAVEL_EXPORT int timer_gettime(timer_t id, itimerspec* value) noexcept {
  if (!controlled_thread() || !is_known(id)) return real::timer_gettime(id, value);
  *value = shown(index_of(id));
  return 0;
}

UNRAVEL_EXPORT int timer_getoverrun(timer_t id) noexcept {
  if (!controlled_thread() || !is_known(id)) return real::timer_getoverrun(id);
  return timers().at(index_of(id)).overruns;
}

UNRAVEL_EXPORT int timer_delete(timer_t id) noexcept {
  Thread* self = controlled_thread();
  if (!self || !is_known(id)) return real::timer_delete(id);
  scheduler().hook(*self);
  timers().forget(index_of(id));
  return 0;
}

// --- timerfd: to read and to poll, a counter of ours does as well
// ---------------------------------

UNRAVEL_EXPORT int timerfd_create(clockid_t clock, int flags) noexcept {
  Thread* self = controlled_thread();
  if (!self) return real::timerfd_create(clock, flags);
  ErrnoKeeper keeper;
  if (flags & ~(TFD_CLOEXEC | TFD_NONBLOCK)) return keeper.fail(EINVAL);
  const int index = timers().free_one();
  if (index == Timers::kNone) return keeper.fail(EMFILE);
  static_assert(int{TFD_CLOEXEC} == EFD_CLOEXEC && int{TFD_NONBLOCK} == EFD_NONBLOCK);
  const long descriptor = os::call(SYS_eventfd2, 0, flags);
  if (descriptor < 0) return keeper.fail(static_cast<int>(-descriptor));
  scheduler().hook(*self);
  timers().at(index).descriptor = static_cast<int>(descriptor);
  timers().at(index).is_realtime = is_realtime(clock);
  runtime().outsiders().note_inside(static_cast<int>(descriptor));
  return static_cast<int>(descriptor);
}

UNRAVEL_EXPORT int timerfd_settime(int descriptor, int flags, const itimerspec* value,
                                   itimerspec* old) noexcept {
  Thread* self = controlled_thread();
  const int index = self ? find_timer(descriptor) : Timers::kNone;
  if (index == Timers::kNone) return real::timerfd_settime(descriptor, flags, value, old);
  ErrnoKeeper keeper;
  if (!is_valid(value->it_value) || !is_valid(value->it_interval)) return keeper.fail(EINVAL);
  if (old) *old = shown(index);
  // What it counted before is forgotten.
  const long mode = os::call(SYS_fcntl, descriptor, F_GETFL);
  os::call(SYS_fcntl, descriptor, F_SETFL, mode | O_NONBLOCK);
  std::uint64_t counted = 0;
  os::call(SYS_read, descriptor, os::as_argument(&counted), sizeof(counted));
  os::call(SYS_fcntl, descriptor, F_SETFL, mode);

  std::uint64_t first = nanoseconds(value->it_value);
  if (first && (flags & TFD_TIMER_ABSTIME)) {
    const std::uint64_t now = scheduler().time().now();
    const clockid_t clock = timers().at(index).is_realtime ? CLOCK_REALTIME : CLOCK_MONOTONIC;
    const std::uint64_t moment = deadline_at(scheduler().time(), clock, value->it_value);
    first = moment > now ? moment - now : 1;
  }
  arm(*self, index, first, nanoseconds(value->it_interval));
  return 0;
}

UNRAVEL_EXPORT int timerfd_gettime(int descriptor, itimerspec* value) noexcept {
  const int index = controlled_thread() ? find_timer(descriptor) : Timers::kNone;
  if (index == Timers::kNone) return real::timerfd_gettime(descriptor, value);
  *value = shown(index);
  return 0;
}
