/// Functions that also return the time or the machine's load, and other names of clocks.
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

/// The clock's adjustment is the machine's; the time that it shows is ours.
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

// libc's header maps this name to the newer function.
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

/// libc implements it with the same timer of the process.
UNRAVEL_EXPORT useconds_t ualarm(useconds_t first, useconds_t then) noexcept {
  constexpr useconds_t kMicroseconds = 1'000'000;
  const itimerval wanted{
      .it_interval = {.tv_sec = then / kMicroseconds, .tv_usec = then % kMicroseconds},
      .it_value = {.tv_sec = first / kMicroseconds, .tv_usec = first % kMicroseconds}};
  itimerval before{};
  if (setitimer(ITIMER_REAL, &wanted, &before) < 0) return static_cast<useconds_t>(-1);
  return static_cast<useconds_t>(before.it_value.tv_sec * kMicroseconds + before.it_value.tv_usec);
}

/// The machine's uptime is a clock, and its load differs from run to run.
UNRAVEL_EXPORT int sysinfo(struct sysinfo* info) noexcept {
  const int result = real::sysinfo(info);
  if (result != 0 || !controlled_thread()) return result;
  timespec now{};
  clock_gettime(CLOCK_BOOTTIME, &now);
  info->uptime = now.tv_sec;
  for (unsigned long& load : info->loads) load = 0;
  // Programs choose sizes by the free memory, which is never the same. We show half of all memory.
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
