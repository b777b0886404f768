// A thread does nothing but look at the clock until half a second is over; others go on meanwhile.
//
// expect: passed
// within: random, 20 runs
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>

static atomic_int done;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void* wait_by_clock(void* unused) {
  (void)unused;
  double begin = now();
  while (now() < begin + 0.5) continue;
  done++;
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, wait_by_clock, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  assert(done == 2);
  puts("ok");
}
