// What timers refuse, and what they say of the time before.
//
// expect: passed
// within: random, 10 runs
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t handled;
static void note(int signal) {
  (void)signal;
  handled++;
}

#define FAILS(call, error) assert((call) == -1 && errno == (error))

static void* timers(void* unused) {
  timer_t timer = 0;
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = 65};
  FAILS(timer_create(CLOCK_MONOTONIC, &event, &timer), EINVAL);
  event.sigev_signo = SIGUSR1;
  event.sigev_notify = 77;
  FAILS(timer_create(CLOCK_MONOTONIC, &event, &timer), EINVAL);
  event.sigev_notify = SIGEV_SIGNAL;
  FAILS(timer_create(9999, &event, &timer), EINVAL);
  assert(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
  struct itimerspec value = {.it_value = {.tv_nsec = 1000000000}}, old;
  FAILS(timer_settime(timer, 0, &value, NULL), EINVAL);
  value.it_value = (struct timespec){.tv_sec = -1};
  FAILS(timer_settime(timer, 0, &value, NULL), EINVAL);
  value.it_value = (struct timespec){.tv_sec = 100};
  value.it_interval = (struct timespec){.tv_nsec = -1};
  FAILS(timer_settime(timer, 0, &value, NULL), EINVAL);
  value.it_interval = (struct timespec){.tv_sec = 3};
  assert(timer_settime(timer, 0, &value, &old) == 0 && old.it_value.tv_sec == 0);
  assert(timer_settime(timer, 0, &value, &old) == 0 && old.it_interval.tv_sec == 3);
  assert(old.it_value.tv_sec == 99 || old.it_value.tv_sec == 100);
  assert(timer_getoverrun(timer) == 0);
  assert(timer_delete(timer) == 0);
  FAILS(timer_delete(timer), EINVAL);
  FAILS(timer_settime(timer, 0, &value, NULL), EINVAL);
  FAILS(timer_gettime(timer, &value), EINVAL);
  FAILS(timer_getoverrun(timer), EINVAL);
  return unused;
}

static void* alarms(void* unused) {
  signal(SIGALRM, note);
  struct itimerval value = {.it_value = {.tv_usec = 1000000}}, old;
  FAILS(setitimer(ITIMER_REAL, &value, NULL), EINVAL);
  FAILS(setitimer(77, &value, NULL), EINVAL);
  assert(alarm(100) == 0 && alarm(0) == 100 && alarm(0) == 0);
  assert(ualarm(500000, 0) == 0);
  assert(ualarm(0, 0) > 400000);
  value.it_value = (struct timeval){.tv_sec = 7};
  value.it_interval = (struct timeval){.tv_usec = 5};
  for (int which = ITIMER_REAL; which <= ITIMER_PROF; which++) {
    assert(setitimer(which, &value, NULL) == 0 && getitimer(which, &old) == 0);
    assert(old.it_value.tv_sec >= 6 && old.it_interval.tv_usec > 0);
    assert(setitimer(which, &(struct itimerval){0}, &old) == 0 && old.it_value.tv_sec >= 6);
    assert(getitimer(which, &old) == 0 && old.it_value.tv_sec == 0 && old.it_value.tv_usec == 0);
  }
  ualarm(1000, 0);
  while (!handled) pause();
  return unused;
}

static void* descriptors(void* unused) {
  FAILS(timerfd_create(CLOCK_PROCESS_CPUTIME_ID, 0), EINVAL);
  FAILS(timerfd_create(CLOCK_MONOTONIC, 0x10000000), EINVAL);
  int timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
  struct itimerspec value = {.it_value = {.tv_nsec = 1000000000}};
  FAILS(timerfd_settime(timer, 0, &value, NULL), EINVAL);
  value.it_value = (struct timespec){.tv_sec = 50};
  FAILS(timerfd_settime(timer, 64, &value, NULL), EINVAL);
  assert(timerfd_settime(timer, 0, &value, NULL) == 0);
  unsigned long times;
  FAILS(read(timer, &times, sizeof times), EAGAIN);
  FAILS(timerfd_settime(-1, 0, &value, NULL), EBADF);
  FAILS(timerfd_settime(0, 0, &value, NULL), EINVAL);
  close(timer);
  return unused;
}

int main(void) {
  void* (*parts[])(void*) = {timers, descriptors};
  pthread_t threads[2];
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGALRM);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, parts[i], NULL);
  pthread_sigmask(SIG_UNBLOCK, &set, NULL);
  alarms(NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
}
