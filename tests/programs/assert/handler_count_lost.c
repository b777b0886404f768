// Two threads send the same signal; those that meet while one is pending become one, and the count
// comes out short.
//
// expect: assert
// within: random, 100 runs
// bug: send_one, count, main
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static volatile sig_atomic_t handled;

static void count(int signal) {
  (void)signal;
  handled++;
}

static void* send_one(void* unused) {
  (void)unused;
  kill(getpid(), SIGUSR1);
  return NULL;
}

int main(void) {
  signal(SIGUSR1, count);
  pthread_t senders[2];
  for (int i = 0; i < 2; i++) pthread_create(&senders[i], NULL, send_one, NULL);
  for (int i = 0; i < 2; i++) pthread_join(senders[i], NULL);
  assert(handled == 2);
  puts("ok");
}
