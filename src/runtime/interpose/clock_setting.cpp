/// Programs that set the date. They set it for their own run only; the machine's clock does not
/// change.
#include <errno.h>
#include <sys/time.h>
#include <sys/timex.h>
#include <time.h>

#include "runtime/interpose/deadline.hpp"
#include "runtime/interpose/errno_keeper.hpp"
#include "runtime/interpose/pass_through.hpp"
#include "runtime/os/real.hpp"
#include "runtime/os/system_call.hpp"
#include "runtime/process/runtime.hpp"

namespace unravel {

namespace {

/// Asks for something impossible: the kernel checks the permission first.
bool may_set_clocks() {
  timex impossible{};
  impossible.modes = ADJ_TICK;
  return os::call(SYS_adjtimex, os::as_argument(&impossible)) == -EINVAL;
}

std::uint64_t realtime() {
  const VirtualTime& time = scheduler().time();
  return time.to_realtime(time.now());
}

void set_realtime(std::uint64_t date) {
  const std::uint64_t before = realtime();
  scheduler().time().set_realtime(date);
  runtime().timers().date_moved(static_cast<std::int64_t>(date - before));
}

/// Sets the date that the program gave. Returns 0, or -1 with errno.
int set_date(long seconds, long nanoseconds_of_it) {
  ErrnoKeeper keeper;
  const timespec date{.tv_sec = seconds, .tv_nsec = nanoseconds_of_it};
  if (!is_valid(date) || seconds < 0) return keeper.fail(EINVAL);
  if (!may_set_clocks()) return keeper.fail(EPERM);
  set_realtime(nanoseconds(date));
  return 0;
}

void move_date(long seconds, long nanoseconds_of_it) {
  const long by = seconds * static_cast<long>(kNanosecondsPerSecond) + nanoseconds_of_it;
  set_realtime(realtime() + static_cast<std::uint64_t>(by));
}

/// The clock's adjustment is the machine's; the time that it shows is ours.
int adjust(timex* asked) {
  const unsigned modes = asked->modes;
  if (modes && !may_set_clocks()) return ErrnoKeeper().fail(EPERM);
  asked->modes = 0;
  const timeval by = asked->time;
  const int state = real::adjtimex(asked);
  asked->modes = modes;
  if (state < 0) return state;
  const bool fine = modes & ADJ_NANO || asked->status & STA_NANO;
  if (modes & ADJ_SETOFFSET) {
    move_date(by.tv_sec, modes & ADJ_NANO ? by.tv_usec : by.tv_usec * 1000);
  }
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  asked->time = {.tv_sec = now.tv_sec, .tv_usec = fine ? now.tv_nsec : now.tv_nsec / 1000};
  return state;
}

}  // namespace

}  // namespace unravel

using namespace unravel;

UNRAVEL_EXPORT int clock_settime(clockid_t clock, const timespec* date) noexcept {
  if (!controlled_thread() || clock != CLOCK_REALTIME) return real::clock_settime(clock, date);
  return set_date(date->tv_sec, date->tv_nsec);
}

UNRAVEL_EXPORT int settimeofday(const timeval* date, const struct timezone* zone) noexcept {
  if (!controlled_thread()) return real::settimeofday(date, zone);
  ErrnoKeeper keeper;
  // libc accepts only one of them at a time, and the kernel's time zone is the machine's.
  if (date && zone) return keeper.fail(EINVAL);
  if (!date) return may_set_clocks() ? 0 : keeper.fail(EPERM);
  return set_date(date->tv_sec, date->tv_usec * 1000);
}

// Old programs call it; no header declares it.
UNRAVEL_EXPORT int stime(const time_t* date) noexcept {
  const timespec exact{.tv_sec = *date, .tv_nsec = 0};
  return clock_settime(CLOCK_REALTIME, &exact);
}

UNRAVEL_EXPORT int adjtime(const timeval* by, timeval* left) noexcept {
  if (!controlled_thread()) return real::adjtime(by, left);
  if (by && !may_set_clocks()) return ErrnoKeeper().fail(EPERM);
  // The adjustment is made at once, so nothing is left of it.
  if (by) move_date(by->tv_sec, by->tv_usec * 1000);
  if (left) *left = {};
  return 0;
}

UNRAVEL_EXPORT int adjtimex(timex* asked) noexcept {
  return controlled_thread() ? adjust(asked) : pass_through(UNRAVEL_SITE, real::adjtimex, asked);
}

UNRAVEL_EXPORT int __adjtimex(timex* asked) noexcept { return adjtimex(asked); }

UNRAVEL_EXPORT int ntp_adjtime(timex* asked) noexcept { return adjtimex(asked); }

UNRAVEL_EXPORT int clock_adjtime(clockid_t clock, timex* asked) noexcept {
  if (!controlled_thread() || clock != CLOCK_REALTIME) return real::clock_adjtime(clock, asked);
  return adjust(asked);
}
