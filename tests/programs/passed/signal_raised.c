// raise() has run the handler when it returns, with what sigaction was told about it.
//
// expect: passed
// within: random, 30 runs
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static __thread int handled;

static void note(int signal, siginfo_t* info, void* context) {
  assert(signal == SIGUSR2 && info->si_signo == SIGUSR2 && info->si_pid == getpid());
  assert(context != NULL);
  sigset_t blocked;
  pthread_sigmask(SIG_BLOCK, NULL, &blocked);
  assert(sigismember(&blocked, SIGUSR2) && sigismember(&blocked, SIGUSR1));
  handled++;
}

static void* raise_twice(void* unused) {
  (void)unused;
  assert(raise(SIGUSR2) == 0);
  assert(handled == 1);
  assert(raise(SIGUSR2) == 0);
  assert(handled == 2);
  sigset_t blocked;
  pthread_sigmask(SIG_BLOCK, NULL, &blocked);
  assert(!sigismember(&blocked, SIGUSR2) && !sigismember(&blocked, SIGUSR1));
  return NULL;
}

int main(void) {
  struct sigaction action = {.sa_sigaction = note, .sa_flags = SA_SIGINFO}, old;
  sigaddset(&action.sa_mask, SIGUSR1);
  assert(sigaction(SIGUSR2, &action, NULL) == 0);
  assert(sigaction(SIGUSR2, NULL, &old) == 0);
  assert(old.sa_sigaction == note);
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, raise_twice, NULL);
  raise_twice(NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  puts("ok");
}
