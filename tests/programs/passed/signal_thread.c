// One thread takes all signals by sigwait; the others block them.
//
// expect: passed
// within: random, 40 runs
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static sigset_t set;

static void* take_signals(void* unused) {
  (void)unused;
  int users = 0;
  for (;;) {
    int signal = 0;
    assert(sigwait(&set, &signal) == 0);
    if (signal == SIGTERM) break;
    assert(signal == SIGUSR1);
    users++;
  }
  assert(users <= 2);
  return NULL;
}

static void* send_user(void* unused) {
  (void)unused;
  assert(kill(getpid(), SIGUSR1) == 0);
  return NULL;
}

int main(void) {
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  sigaddset(&set, SIGTERM);
  assert(pthread_sigmask(SIG_BLOCK, &set, NULL) == 0);
  pthread_t taker, senders[2];
  pthread_create(&taker, NULL, take_signals, NULL);
  for (int i = 0; i < 2; i++) pthread_create(&senders[i], NULL, send_user, NULL);
  for (int i = 0; i < 2; i++) pthread_join(senders[i], NULL);
  assert(pthread_kill(taker, SIGTERM) == 0);
  pthread_join(taker, NULL);
  puts("ok");
}
