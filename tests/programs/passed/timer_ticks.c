// A periodic timer from timer_create sends its signal, with its value, to the thread that waits.
//
// expect: passed
// within: random, 20 runs
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>

static sigset_t set;

static void* count_ticks(void* unused) {
  (void)unused;
  for (int i = 0; i < 3; i++) {
    siginfo_t info;
    assert(sigwaitinfo(&set, &info) == SIGUSR1);
    assert(info.si_code == SI_TIMER && info.si_value.sival_int == 7);
  }
  return NULL;
}

int main(void) {
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  assert(pthread_sigmask(SIG_BLOCK, &set, NULL) == 0);
  pthread_t counter;
  pthread_create(&counter, NULL, count_ticks, NULL);
  timer_t timer;
  struct sigevent event = {
      .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1, .sigev_value.sival_int = 7};
  struct itimerspec times = {.it_interval = {.tv_nsec = 4000000}, .it_value = {.tv_nsec = 1000000}};
  struct itimerspec left;
  assert(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
  assert(timer_settime(timer, 0, &times, NULL) == 0);
  assert(timer_gettime(timer, &left) == 0);
  assert(left.it_interval.tv_nsec == 4000000 && left.it_value.tv_nsec > 0);
  pthread_join(counter, NULL);
  assert(timer_delete(timer) == 0);
  puts("ok");
}
