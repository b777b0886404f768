// A thread begins with its creator's signal mask; what is blocked stays pending until it is not.
//
// expect: passed
// within: random, 40 runs
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>

static volatile sig_atomic_t handled;

static void note(int signal) {
  (void)signal;
  handled++;
}

static void* unblock_late(void* unused) {
  (void)unused;
  sigset_t set;
  pthread_sigmask(SIG_BLOCK, NULL, &set);
  assert(sigismember(&set, SIGUSR1) && !sigismember(&set, SIGUSR2));
  assert(pthread_kill(pthread_self(), SIGUSR1) == 0);
  assert(handled == 0);
  assert(sigpending(&set) == 0 && sigismember(&set, SIGUSR1));
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  assert(pthread_sigmask(SIG_UNBLOCK, &set, NULL) == 0);
  assert(handled == 1);
  assert(sigpending(&set) == 0 && !sigismember(&set, SIGUSR1));
  return NULL;
}

int main(void) {
  struct sigaction action = {.sa_handler = note};
  assert(sigaction(SIGUSR1, &action, NULL) == 0);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  assert(pthread_sigmask(SIG_BLOCK, &set, NULL) == 0);
  pthread_t thread;
  pthread_create(&thread, NULL, unblock_late, NULL);
  pthread_join(thread, NULL);
  assert(sigpending(&set) == 0 && !sigismember(&set, SIGUSR1));
  puts("ok");
}
