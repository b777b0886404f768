/// Timers that send signals, in virtual time.
#include <errno.h>
#include <signal.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "runtime/interpose/beats.hpp"
#include "runtime/interpose/moment.hpp"
#include "runtime/os/real.hpp"

namespace unravel {

namespace {

using Timer = Signals::Timer;

std::uint64_t length_of(const timeval& length) {
  return nanoseconds(timespec{.tv_sec = length.tv_sec, .tv_nsec = length.tv_usec * 1000});
}

timeval timeval_of(std::uint64_t nanoseconds) {
  const timespec exact = timespec_of(nanoseconds);
  return {.tv_sec = exact.tv_sec, .tv_usec = exact.tv_nsec / 1000};
}

std::uint64_t left(const Timer& timer) {
  const std::uint64_t now = scheduler().time().now();
  if (timer.deadline == kNever) return 0;
  return timer.deadline > now ? timer.deadline - now : 1;
}

void arm(Thread& self, int index, std::uint64_t first, std::uint64_t interval) {
  scheduler().hook(self);
  runtime().signals().set_timer(index, first ? scheduler().time().now() + first : kNever, interval);
}

Timer& alarm_timer() {
  Timer& timer = runtime().signals().timer(Signals::kAlarm);
  timer.signal = SIGALRM;
  return timer;
}

bool is_known(timer_t id) {
  const auto index = reinterpret_cast<std::uintptr_t>(id);
  return index > 0 && index < Signals::kMostTimers;
}

int index_of(timer_t id) { return static_cast<int>(reinterpret_cast<std::uintptr_t>(id)); }

}  // namespace

}  // namespace unravel

using namespace unravel;

UNRAVEL_EXPORT unsigned alarm(unsigned seconds) noexcept {
  Thread* self = controlled_thread();
  if (!self) return real::alarm(seconds);
  const std::uint64_t rest = left(alarm_timer());
  arm(*self, Signals::kAlarm, seconds * kNanosecondsPerSecond, 0);
  return static_cast<unsigned>((rest + kNanosecondsPerSecond - 1) / kNanosecondsPerSecond);
}

UNRAVEL_EXPORT int setitimer(__itimer_which_t which, const itimerval* value,
                             itimerval* old) noexcept {
  Thread* self = controlled_thread();
  if (!self || which != ITIMER_REAL) return real::setitimer(which, value, old);
  Timer& timer = alarm_timer();
  if (old) *old = {.it_interval = timeval_of(timer.interval), .it_value = timeval_of(left(timer))};
  arm(*self, Signals::kAlarm, length_of(value->it_value), length_of(value->it_interval));
  return 0;
}

UNRAVEL_EXPORT int getitimer(__itimer_which_t which, itimerval* value) noexcept {
  if (!controlled_thread() || which != ITIMER_REAL) return real::getitimer(which, value);
  const Timer& timer = alarm_timer();
  *value = {.it_interval = timeval_of(timer.interval), .it_value = timeval_of(left(timer))};
  return 0;
}

UNRAVEL_EXPORT int timer_create(clockid_t clock, sigevent* event, timer_t* id) noexcept {
  Thread* self = controlled_thread();
  const int notify = event ? event->sigev_notify : SIGEV_SIGNAL;
  // A thread of libc's own would run beside the turn.
  if (self && notify == SIGEV_THREAD) runtime().note_uncontrolled("a SIGEV_THREAD timer");
  if (!self || notify != SIGEV_SIGNAL) return real::timer_create(clock, event, id);
  for (int index = 1; index < Signals::kMostTimers; ++index) {
    Timer& timer = runtime().signals().timer(index);
    if (timer.signal) continue;
    timer = Timer{};
    timer.signal = event ? event->sigev_signo : SIGALRM;
    timer.value = event ? event->sigev_value.sival_ptr : nullptr;
    *id = reinterpret_cast<timer_t>(static_cast<std::uintptr_t>(index));
    return 0;
  }
  errno = EAGAIN;
  return -1;
}

UNRAVEL_EXPORT int timer_settime(timer_t id, int flags, const itimerspec* value,
                                 itimerspec* old) noexcept {
  Thread* self = controlled_thread();
  if (!self || !is_known(id)) return real::timer_settime(id, flags, value, old);
  Timer& timer = runtime().signals().timer(index_of(id));
  if (old)
    *old = {.it_interval = timespec_of(timer.interval), .it_value = timespec_of(left(timer))};
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
  const Timer& timer = runtime().signals().timer(index_of(id));
  *value = {.it_interval = timespec_of(timer.interval), .it_value = timespec_of(left(timer))};
  return 0;
}

UNRAVEL_EXPORT int timer_getoverrun(timer_t id) noexcept {
  if (!controlled_thread() || !is_known(id)) return real::timer_getoverrun(id);
  return runtime().signals().timer(index_of(id)).overruns;
}

UNRAVEL_EXPORT int timer_delete(timer_t id) noexcept {
  Thread* self = controlled_thread();
  if (!self || !is_known(id)) return real::timer_delete(id);
  arm(*self, index_of(id), 0, 0);
  runtime().signals().timer(index_of(id)) = Timer{};
  return 0;
}
