// The waiter resets the flag before it waits, and so may wipe out that it was already set.
//
// expect: livelock
// within: random, 100 runs
// bug: wait_until_ready, main
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int ready;

static void* wait_until_ready(void* unused) {
  (void)unused;
  ready = 0;
  while (!ready) sched_yield();
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, wait_until_ready, NULL);
  ready = 1;
  pthread_join(thread, NULL);
  puts("ok");
}
