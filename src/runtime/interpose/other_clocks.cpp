/// Functions that tell the time, or how busy the machine is, beside what they are for; and other
/// names of clocks.
#include <errno.h>
#include <stdlib.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/timeb.h>
#include <sys/timex.h>
#include <time.h>
#include <unistd.h>

#include "runtime/interpose/deadline.hpp"
#include "runtime/os/real.hpp"
#include "runtime/process/runtime.hpp"

namespace unravel {

namespace {

timespec realtime_now() {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  return now;
}

/// How well the kernel's clock is adjusted is the machine's; what it shows is not.
int show_time(int state, ntptimeval* shown) {
  if (state < 0 || !controlled_thread()) return state;
  const timespec now = realtime_now();
  shown->time = {.tv_sec = now.tv_sec, .tv_usec = now.tv_nsec / 1000};
  return state;
}

}  // namespace

}  // namespace unravel

using namespace unravel;

UNRAVEL_EXPORT int ntp_gettimex(ntptimeval* now) noexcept {
  return show_time(real::ntp_gettimex(now), now);
}

// libc's header calls the newer one by this name.
UNRAVEL_EXPORT int old_ntp_gettime(ntptimeval* now) noexcept asm("ntp_gettime");
extern "C" int old_ntp_gettime(ntptimeval* now) noexcept { return ntp_gettimex(now); }

UNRAVEL_EXPORT int __gettimeofday(timeval* now, void* zone) noexcept {
  return gettimeofday(now, zone);
}

UNRAVEL_EXPORT int __nanosleep(const timespec* length, timespec* left) {
  return nanosleep(length, left);
}

UNRAVEL_EXPORT int ftime(timeb* shown) {
  const timespec now = realtime_now();
  constexpr long kNanosecondsPerMillisecond = 1'000'000;
  *shown = {.time = now.tv_sec,
            .millitm = static_cast<unsigned short>(now.tv_nsec / kNanosecondsPerMillisecond),
            .timezone = 0,
            .dstflag = 0};
  return 0;
}

/// As libc does it: by the timer of the process.
UNRAVEL_EXPORT useconds_t ualarm(useconds_t first, useconds_t then) noexcept {
  constexpr useconds_t kMicroseconds = 1'000'000;
  const itimerval wanted{
      .it_interval = {.tv_sec = then / kMicroseconds, .tv_usec = then % kMicroseconds},
      .it_value = {.tv_sec = first / kMicroseconds, .tv_usec = first % kMicroseconds}};
  itimerval before{};
  if (setitimer(ITIMER_REAL, &wanted, &before) < 0) return static_cast<useconds_t>(-1);
  return static_cast<useconds_t>(before.it_value.tv_sec * kMicroseconds + before.it_value.tv_usec);
}

/// How long the machine is up is a clock, and how busy it is differs from run to run.
UNRAVEL_EXPORT int sysinfo(struct sysinfo* info) noexcept {
  const int result = real::sysinfo(info);
  if (result != 0 || !controlled_thread()) return result;
  timespec now{};
  clock_gettime(CLOCK_BOOTTIME, &now);
  info->uptime = now.tv_sec;
  for (unsigned long& load : info->loads) load = 0;
  // Programs size themselves by what is free: much, but never the same. Half of all will do.
  info->freeram = info->totalram / 2;
  info->sharedram = info->bufferram = 0;
  info->freeswap = info->totalswap;
  info->procs = 1;
  return 0;
}

UNRAVEL_EXPORT int getloadavg(double* averages, int count) noexcept {
  if (!controlled_thread()) return real::getloadavg(averages, count);
  constexpr int kKnown = 3;
  const int shown = count < kKnown ? count : kKnown;
  for (int i = 0; i < shown; ++i) averages[i] = 0;
  return shown;
}
