// A thread yields in a loop until another one sets a flag; fairness lets it end.
//
// expect: passed
// within: random, 50 runs
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int ready;
static int value;

static void* wait_until_set(void* unused) {
  (void)unused;
  while (!ready) assert(sched_yield() == 0);
  assert(value == 42);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, wait_until_set, NULL);
  sched_yield();
  value = 42;
  ready = 1;
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  puts("ok");
}
