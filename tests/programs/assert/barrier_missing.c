// Each thread sums up both halves after it has filled its own; the barrier between is missing.
//
// expect: assert
// within: random, 100 runs
// bug: work
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int half[2];

static void* work(void* which) {
  pthread_mutex_lock(&lock);
  half[(intptr_t)which] = 21;
  pthread_mutex_unlock(&lock);

  pthread_mutex_lock(&lock);
  assert(half[0] + half[1] == 42);
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (intptr_t i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, (void*)i);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  puts("ok");
}
