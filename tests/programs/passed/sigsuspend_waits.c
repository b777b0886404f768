// The signal is blocked while the flag is looked at, so that sigsuspend cannot miss it.
//
// expect: passed
// within: random, 40 runs
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>

static volatile sig_atomic_t flag;

static void set_flag(int signal) {
  (void)signal;
  flag = 1;
}

static void* wait_for_flag(void* unused) {
  (void)unused;
  sigset_t none, now;
  sigemptyset(&none);
  while (!flag) assert(sigsuspend(&none) == -1 && errno == EINTR);
  pthread_sigmask(SIG_BLOCK, NULL, &now);
  assert(sigismember(&now, SIGUSR1));
  return NULL;
}

int main(void) {
  struct sigaction action = {.sa_handler = set_flag, .sa_flags = SA_RESTART};
  assert(sigaction(SIGUSR1, &action, NULL) == 0);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  assert(pthread_sigmask(SIG_BLOCK, &set, NULL) == 0);
  pthread_t waiter;
  pthread_create(&waiter, NULL, wait_for_flag, NULL);
  assert(pthread_kill(waiter, SIGUSR1) == 0);
  pthread_join(waiter, NULL);
  puts("ok");
}
