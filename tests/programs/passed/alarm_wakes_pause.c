// pause() returns when the alarm rings, however often other threads run before.
//
// expect: passed
// within: random, 20 runs
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static volatile sig_atomic_t rings;

static void ring(int signal) {
  (void)signal;
  rings++;
}

static void* pause_once(void* set) {
  pthread_sigmask(SIG_UNBLOCK, set, NULL);
  alarm(1);
  assert(pause() == -1 && errno == EINTR);
  assert(rings == 1);
  return NULL;
}

int main(void) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGALRM);
  signal(SIGALRM, ring);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  pthread_t pauser;
  pthread_create(&pauser, NULL, pause_once, &set);
  pthread_join(pauser, NULL);
  puts("ok");
}
