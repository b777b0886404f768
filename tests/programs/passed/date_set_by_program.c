// A program that sets the date sees the date that it set, in all of its threads, and no other clock
// moves. Where it may not set it, it is told so. The machine's own date stays what it is.
//
// expect: passed
// within: random, 10 runs
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timex.h>
#include <time.h>
#include <unistd.h>

// Only tools that stand in front of libc have it: no machine shall lose its date to a test.
extern int RunningOnValgrind(void) __attribute__((weak));

enum { kDate = 1000000000, kHour = 3600 };

static time_t date(void) {
  struct timespec now;
  assert(clock_gettime(CLOCK_REALTIME, &now) == 0);
  return now.tv_sec;
}

static void* look(void* expected) {
  assert(date() >= (time_t)expected && date() < (time_t)expected + kHour);
  return NULL;
}

static void let_another_look(time_t expected) {
  pthread_t other;
  assert(pthread_create(&other, NULL, look, (void*)expected) == 0);
  assert(pthread_join(other, NULL) == 0);
}

/// A timer that waits for a date comes when the date is set beyond it.
static void pass_by_timer(void) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGRTMIN);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN};
  timer_t timer;
  assert(timer_create(CLOCK_REALTIME, &event, &timer) == 0);
  const struct itimerspec later = {.it_value = {.tv_sec = date() + kHour}};
  assert(timer_settime(timer, TIMER_ABSTIME, &later, NULL) == 0);
  const struct timespec second = {.tv_sec = 1};
  assert(sigtimedwait(&set, NULL, &second) == -1 && errno == EAGAIN);
  const struct timespec wanted = {.tv_sec = date() + 2 * kHour};
  assert(clock_settime(CLOCK_REALTIME, &wanted) == 0);
  assert(sigtimedwait(&set, NULL, &second) == SIGRTMIN);
  assert(timer_delete(timer) == 0);
}

int main(void) {
  let_another_look(date());
  struct timespec before, after, wrong = {.tv_sec = 1, .tv_nsec = 1000000000};
  assert(clock_settime(CLOCK_REALTIME, &wrong) == -1 && errno == EINVAL);
  assert(clock_settime(CLOCK_MONOTONIC, &(struct timespec){1, 0}) == -1 && errno == EINVAL);
  if (!RunningOnValgrind) return 0;

  clock_gettime(CLOCK_MONOTONIC, &before);
  const struct timespec wanted = {.tv_sec = kDate, .tv_nsec = 0};
  if (clock_settime(CLOCK_REALTIME, &wanted) != 0) {
    assert(errno == EPERM);
    return 0;
  }
  let_another_look(kDate);
  assert(syscall(SYS_settimeofday, &(struct timeval){2 * kDate, 0}, NULL) == 0);
  let_another_look(2 * kDate);
  assert(adjtime(&(struct timeval){2 * kHour, 0}, NULL) == 0);
  let_another_look(2 * kDate + 2 * kHour);
  pass_by_timer();
  clock_gettime(CLOCK_MONOTONIC, &after);
  assert(after.tv_sec - before.tv_sec < kHour);
  return 0;
}
