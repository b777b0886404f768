// Timers at moments of each clock come then; those that nobody is told of only count.
//
// expect: passed
// within: random, 15 runs
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static sigset_t set;

static struct timespec later(clockid_t clock, long nanoseconds) {
  struct timespec now;
  assert(clock_gettime(clock, &now) == 0);
  now.tv_nsec += nanoseconds;
  now.tv_sec += now.tv_nsec / 1000000000;
  now.tv_nsec %= 1000000000;
  return now;
}

static int is_over(clockid_t clock, struct timespec moment) {
  struct timespec now;
  clock_gettime(clock, &now);
  return now.tv_sec > moment.tv_sec ||
         (now.tv_sec == moment.tv_sec && now.tv_nsec >= moment.tv_nsec);
}

static void* wait_until(void* which) {
  const clockid_t clock = *(clockid_t*)which;
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN};
  timer_t timer;
  assert(timer_create(clock, &event, &timer) == 0);
  struct itimerspec value = {.it_value = later(clock, 200000000)}, old;
  assert(timer_settime(timer, TIMER_ABSTIME, &value, NULL) == 0);
  assert(timer_gettime(timer, &old) == 0);
  assert(old.it_value.tv_sec == 0 && old.it_value.tv_nsec > 0 && old.it_interval.tv_nsec == 0);
  siginfo_t info;
  assert(sigwaitinfo(&set, &info) == SIGRTMIN && info.si_code == SI_TIMER);
  assert(info.si_overrun == 0 && is_over(clock, value.it_value));
  assert(timer_gettime(timer, &old) == 0 && old.it_value.tv_nsec == 0);
  // A moment that is over comes at once.
  assert(timer_settime(timer, TIMER_ABSTIME, &value, NULL) == 0);
  assert(sigwaitinfo(&set, &info) == SIGRTMIN);
  assert(timer_delete(timer) == 0);
  return NULL;
}

static void descriptor_at(clockid_t clock) {
  int timer = timerfd_create(clock, 0);
  struct itimerspec value = {.it_value = later(clock, 1000000),
                             .it_interval = {.tv_nsec = 1000000}};
  int flags = TFD_TIMER_ABSTIME | (clock == CLOCK_REALTIME ? TFD_TIMER_CANCEL_ON_SET : 0);
  assert(timerfd_settime(timer, flags, &value, NULL) == 0);
  usleep(5000);
  unsigned long times = 0;
  assert(read(timer, &times, sizeof times) == sizeof times && times >= 4);
  close(timer);
}

static void quiet(void) {
  struct sigevent event = {.sigev_notify = SIGEV_NONE};
  timer_t timer;
  assert(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
  struct itimerspec value = {.it_value = {.tv_nsec = 3000000}, .it_interval = {.tv_sec = 1}}, old;
  assert(timer_settime(timer, 0, &value, NULL) == 0);
  usleep(5000);
  assert(timer_gettime(timer, &old) == 0 && old.it_interval.tv_sec == 1);
  assert(old.it_value.tv_sec == 0 && old.it_value.tv_nsec < 999000000);
  value = (struct itimerspec){0};
  assert(timer_settime(timer, 0, &value, &old) == 0 && old.it_interval.tv_sec == 1);
  assert(timer_gettime(timer, &old) == 0 && old.it_interval.tv_sec == 0);
  assert(timer_delete(timer) == 0);
}

int main(void) {
  sigemptyset(&set);
  sigaddset(&set, SIGRTMIN);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  static clockid_t clocks[] = {CLOCK_REALTIME, CLOCK_MONOTONIC, CLOCK_BOOTTIME};
  for (int i = 0; i < 3; i++) {
    pthread_t thread;
    pthread_create(&thread, NULL, wait_until, &clocks[i]);
    pthread_join(thread, NULL);
    if (i < 2) descriptor_at(clocks[i]);
  }
  quiet();
}
