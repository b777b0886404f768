// Every way to ask for the time tells the same time: functions, system calls by number, and what
// tells it beside something else. A sleep by any of them moves all.
//
// expect: passed
// within: random, 20 runs
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/timeb.h>
#include <sys/times.h>
#include <sys/timex.h>
#include <time.h>
#include <unistd.h>

static double seconds(struct timespec time) {
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static double by_function(clockid_t clock) {
  struct timespec time;
  assert(clock_gettime(clock, &time) == 0);
  return seconds(time);
}

static double by_number(clockid_t clock) {
  struct timespec time;
  assert(syscall(SYS_clock_gettime, clock, &time) == 0);
  return seconds(time);
}

static double day_by_number(void) {
  struct timeval time;
  assert(syscall(SYS_gettimeofday, &time, NULL) == 0);
  return (double)time.tv_sec + (double)time.tv_usec / 1e6;
}

static double day_by_adjustment(void) {
  struct timex asked = {.modes = 0};
  assert(adjtimex(&asked) >= 0);
  return (double)asked.time.tv_sec +
         (double)asked.time.tv_usec / (asked.status & STA_NANO ? 1e9 : 1e6);
}

static double day_by_ntp(void) {
  struct ntptimeval time;
  assert(ntp_gettime(&time) >= 0);
  return (double)time.time.tv_sec;
}

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
static double day_by_ftime(void) {
  struct timeb time;
  assert(ftime(&time) == 0);
  return (double)time.time + time.millitm / 1e3;
}

static double up(void) {
  struct sysinfo info;
  assert(sysinfo(&info) == 0);
  assert(info.freeram <= info.totalram);
  return (double)info.uptime;
}

/// Both are read without a sleep between: they differ by what is rounded off, and by how long a
/// busy machine takes outside of unravel.
static void check_near(const char* what, double time, double expected) {
  if (time > expected - 1.1 && time < expected + 60) return;
  printf("%s: %f, expected %f\n", what, time, expected);
  assert(!"clocks disagree");
}

static void check_all(void) {
  const double day = by_function(CLOCK_REALTIME);
  check_near("realtime by number", by_number(CLOCK_REALTIME), day);
  check_near("gettimeofday by number", day_by_number(), day);
  check_near("time by number", (double)syscall(SYS_time, NULL), day);
  check_near("adjtimex", day_by_adjustment(), day);
  check_near("ntp_gettime", day_by_ntp(), day);
  check_near("ftime", day_by_ftime(), day);
  check_near("monotonic by number", by_number(CLOCK_MONOTONIC), by_function(CLOCK_MONOTONIC));
  check_near("sysinfo", up(), by_function(CLOCK_BOOTTIME));
}

/// How far `sleep` moves the clock that nobody slept by.
static double moved_by(int (*wait)(void)) {
  const double begin = by_function(CLOCK_MONOTONIC);
  assert(wait() == 0);
  check_all();
  return by_function(CLOCK_MONOTONIC) - begin;
}

static int sleep_by_number(void) {
  const struct timespec length = {.tv_sec = 2};
  return (int)syscall(SYS_nanosleep, &length, NULL);
}

static int sleep_until_by_number(void) {
  struct timespec moment;
  syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &moment);
  moment.tv_sec += 2;
  return (int)syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, TIMER_ABSTIME, &moment, NULL);
}

static int sleep_by_function(void) { return (int)sleep(2); }

static void* measure(void* unused) {
  check_all();
  assert(moved_by(sleep_by_function) >= 2);
  assert(moved_by(sleep_by_number) >= 2);
  assert(moved_by(sleep_until_by_number) >= 1.9);
  return unused;
}

int main(void) {
  pthread_t thread;
  clockid_t clock;
  struct timespec before, after;
  assert(pthread_create(&thread, NULL, measure, NULL) == 0);
  assert(pthread_getcpuclockid(pthread_self(), &clock) == 0);
  assert(clock_gettime(clock, &before) == 0);
  assert(syscall(SYS_sched_yield) == 0);
  assert(clock_gettime(clock, &after) == 0);
  assert(seconds(after) >= seconds(before));
  assert(syscall(SYS_clock_gettime, 1000, &after) == -1 && errno == EINVAL);
  const struct timespec wrong = {.tv_nsec = -1};
  assert(syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &wrong, NULL) == -1 && errno == EINVAL);
  pthread_join(thread, NULL);
  puts("one time");
}
