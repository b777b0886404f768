// Real-time signals queue, each with its value; of the others only one is pending at a time.
//
// expect: passed
// within: random, 30 runs
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static sigset_t set;

static void* take_all(void* unused) {
  (void)unused;
  siginfo_t info;
  struct timespec at_once = {0};
  assert(sigwaitinfo(&set, &info) == SIGUSR1);
  for (int i = 0; i < 3; i++) {
    assert(sigwaitinfo(&set, &info) == SIGRTMIN + 1);
    assert(info.si_value.sival_int == i);
  }
  assert(sigtimedwait(&set, &info, &at_once) == -1 && errno == EAGAIN);
  return NULL;
}

int main(void) {
  sigemptyset(&set);
  sigaddset(&set, SIGRTMIN + 1);
  sigaddset(&set, SIGUSR1);
  assert(pthread_sigmask(SIG_BLOCK, &set, NULL) == 0);
  for (int i = 0; i < 3; i++) {
    assert(sigqueue(getpid(), SIGRTMIN + 1, (union sigval){.sival_int = i}) == 0);
    assert(kill(getpid(), SIGUSR1) == 0);
  }
  pthread_t taker;
  pthread_create(&taker, NULL, take_all, NULL);
  pthread_join(taker, NULL);
  puts("ok");
}
