// sigtimedwait gives up after its time, and takes a signal with its value if one comes before.
//
// expect: passed
// within: random, 40 runs
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>

static sigset_t set;

static void* wait_in_vain(void* unused) {
  (void)unused;
  struct timespec length = {.tv_nsec = 5 * 1000 * 1000}, begin, end;
  clock_gettime(CLOCK_MONOTONIC, &begin);
  assert(sigtimedwait(&set, NULL, &length) == -1 && errno == EAGAIN);
  clock_gettime(CLOCK_MONOTONIC, &end);
  long passed = (end.tv_sec - begin.tv_sec) * 1000000000L + end.tv_nsec - begin.tv_nsec;
  assert(passed >= length.tv_nsec);
  return NULL;
}

static void* wait_with_luck(void* unused) {
  (void)unused;
  siginfo_t info;
  assert(sigwaitinfo(&set, &info) == SIGUSR1);
  assert(info.si_value.sival_int == 42);
  return NULL;
}

int main(void) {
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  assert(pthread_sigmask(SIG_BLOCK, &set, NULL) == 0);
  pthread_t vain, lucky;
  pthread_create(&vain, NULL, wait_in_vain, NULL);
  pthread_create(&lucky, NULL, wait_with_luck, NULL);
  assert(pthread_sigqueue(lucky, SIGUSR1, (union sigval){.sival_int = 42}) == 0);
  pthread_join(lucky, NULL);
  pthread_join(vain, NULL);
  puts("ok");
}
