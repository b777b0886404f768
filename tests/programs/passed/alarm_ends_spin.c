// A thread yields until the alarm has rung: time goes on although nobody sleeps.
//
// expect: passed
// within: random, 20 runs
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>

static volatile sig_atomic_t rang;

static void ring(int signal) {
  (void)signal;
  rang = 1;
}

static void* spin(void* unused) {
  (void)unused;
  while (!rang) sched_yield();
  return NULL;
}

int main(void) {
  signal(SIGALRM, ring);
  pthread_t spinner;
  pthread_create(&spinner, NULL, spin, NULL);
  struct itimerval soon = {.it_value = {.tv_usec = 20000}};
  assert(setitimer(ITIMER_REAL, &soon, NULL) == 0);
  pthread_join(spinner, NULL);
  puts("ok");
}
