// A hit is counted only if the lock happens to be free: under contention hits are dropped.
//
// expect: assert
// within: random, 100 runs
// bug: record_hit
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int hits;

static void record_hit(void) {
  if (pthread_mutex_trylock(&lock) == 0) {
    hits++;
    pthread_mutex_unlock(&lock);
  }
}

static void* serve(void* unused) {
  (void)unused;
  record_hit();
  return NULL;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, serve, NULL);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  assert(hits == 3);
  puts("ok");
}
