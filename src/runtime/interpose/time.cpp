/// Clocks, sleeps and yields in virtual time.
#include "runtime/interpose/time.hpp"

#include <errno.h>
#include <sched.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "runtime/interpose/beats.hpp"
#include "runtime/interpose/cancel.hpp"
#include "runtime/interpose/cpu_clock.hpp"
#include "runtime/interpose/deadline.hpp"
#include "runtime/interpose/errno_keeper.hpp"
#include "runtime/interpose/pass_through.hpp"
#include "runtime/os/real.hpp"
#include "runtime/os/system_call.hpp"

namespace unravel {

namespace {

/// Returns what the clock shows; reading moves it on.
std::uint64_t read_clock(Thread& self, clockid_t clock) {
  const std::uint64_t now = scheduler().deadlines().read_clock(self, static_cast<unsigned>(clock));
  return is_realtime(clock) ? scheduler().time().to_realtime(now) : now;
}

/// The error of a sleep by this clock; 0: it is possible.
int sleep_error(clockid_t clock) {
  if (clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC || clock == CLOCK_BOOTTIME) return 0;
  if (clock == CLOCK_THREAD_CPUTIME_ID) return EINVAL;
  const timespec no_time{};
  const long error = os::call(SYS_clock_nanosleep, clock, 0, os::as_argument(&no_time), 0);
  if (error != 0) return static_cast<int>(-error);
  return is_cpu_clock_of_others(clock) ? ENOTSUP : 0;
}

/// Returns the nanoseconds that are left; 0 unless a signal handler ended the sleep.
std::uint64_t sleep_until(Thread& self, std::uint64_t deadline, const void* site) {
  const ErrnoKeeper keeper;
  const Op op{
      .kind = wire::Operation::kSleep, .site = site, .deadline = deadline, .cancellable = true};
  const bool done = scheduler().waiting().sleep(self, op);
  cancellation_point(self);
  if (done) return 0;
  const std::uint64_t now = scheduler().time().now();
  return now < deadline ? deadline - now : 1;
}

}  // namespace

std::uint64_t sleep_for(Thread& self, std::uint64_t nanoseconds, const void* site) {
  return sleep_until(self, deadline_after(scheduler().time(), nanoseconds), site);
}

void yield(Thread& self, const void* site) {
  const ErrnoKeeper keeper;
  const Op op{.kind = wire::Operation::kYield, .site = site};
  scheduler().reach(self, op, Leave::kYields);
  scheduler().did(self, op);
  if (self.cancel.asynchronous) cancellation_point(self);
}

}  // namespace unravel

using namespace unravel;

UNRAVEL_EXPORT int sched_yield() noexcept {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::sched_yield);
  yield(*self, UNRAVEL_SITE);
  return 0;
}

UNRAVEL_EXPORT int nanosleep(const timespec* length, timespec* left) {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::nanosleep, length, left);
  if (!length || !is_valid(*length) || length->tv_sec < 0) {
    errno = length ? EINVAL : EFAULT;
    return -1;
  }
  const std::uint64_t rest = sleep_for(*self, nanoseconds(*length), UNRAVEL_SITE);
  if (rest == 0) return 0;
  if (left) *left = timespec_of(rest);
  errno = EINTR;
  return -1;
}

UNRAVEL_EXPORT int clock_nanosleep(clockid_t clock, int flags, const timespec* until,
                                   timespec* left) {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::clock_nanosleep, clock, flags, until, left);
  if (const int error = sleep_error(clock)) return error;
  if (!until) return EFAULT;
  if (!is_valid(*until) || until->tv_sec < 0) return EINVAL;
  if (flags & TIMER_ABSTIME) {
    const std::uint64_t deadline = deadline_at(scheduler().time(), clock, *until);
    return sleep_until(*self, deadline, UNRAVEL_SITE) == 0 ? 0 : EINTR;
  }
  const std::uint64_t rest = sleep_for(*self, nanoseconds(*until), UNRAVEL_SITE);
  if (rest && left) *left = timespec_of(rest);
  return rest == 0 ? 0 : EINTR;
}

UNRAVEL_EXPORT int usleep(useconds_t microseconds) {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::usleep, microseconds);
  if (sleep_for(*self, std::uint64_t{microseconds} * 1000, UNRAVEL_SITE) == 0) return 0;
  errno = EINTR;
  return -1;
}

UNRAVEL_EXPORT unsigned sleep(unsigned seconds) {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::sleep, seconds);
  const std::uint64_t rest = sleep_for(*self, seconds * kNanosecondsPerSecond, UNRAVEL_SITE);
  return static_cast<unsigned>((rest + kNanosecondsPerSecond - 1) / kNanosecondsPerSecond);
}

UNRAVEL_EXPORT int clock_gettime(clockid_t clock, timespec* now) noexcept {
  Thread* self = controlled_thread();
  const bool cpu_time = clock == CLOCK_PROCESS_CPUTIME_ID || clock == CLOCK_THREAD_CPUTIME_ID ||
                        (self && is_own_cpu_clock(clock));
  // Clock numbers beyond the kernel's own belong to other processes or devices.
  if (!self || ((clock < 0 || clock > CLOCK_TAI) && !cpu_time)) {
    return pass_through(UNRAVEL_SITE, real::clock_gettime, clock, now);
  }
  const std::uint64_t shown = read_clock(*self, clock);
  // CPU time is shown as if the program had run all the time since its start.
  *now = timespec_of(cpu_time ? shown - runtime().settings().start_monotonic : shown);
  return 0;
}

UNRAVEL_EXPORT int gettimeofday(timeval* now, void* zone) noexcept {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::gettimeofday, now, zone);
  const timespec shown = timespec_of(read_clock(*self, CLOCK_REALTIME));
  timeval* given = now;
  asm("" : "+r"(given));  // libc's header says that it is never null, and compilers rely on it
  if (given) *given = {.tv_sec = shown.tv_sec, .tv_usec = shown.tv_nsec / 1000};
  return 0;
}

UNRAVEL_EXPORT time_t time(time_t* result) noexcept {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::time, result);
  const time_t now = timespec_of(read_clock(*self, CLOCK_REALTIME)).tv_sec;
  if (result) *result = now;
  return now;
}

UNRAVEL_EXPORT int timespec_get(timespec* now, int base) noexcept {
  Thread* self = controlled_thread();
  if (!self || base != TIME_UTC) return pass_through(UNRAVEL_SITE, real::timespec_get, now, base);
  *now = timespec_of(read_clock(*self, CLOCK_REALTIME));
  return base;
}
