// A barrier used three times: nobody is a round ahead, and each round has one serial thread.
//
// expect: passed
// within: random, 50 runs
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

enum { kThreads = 3, kRounds = 3 };

static pthread_barrier_t barrier;
static atomic_int arrived;
static atomic_int serial;

static void* take_rounds(void* unused) {
  (void)unused;
  for (int round = 1; round <= kRounds; round++) {
    arrived++;
    const int result = pthread_barrier_wait(&barrier);
    assert(result == 0 || result == PTHREAD_BARRIER_SERIAL_THREAD);
    if (result == PTHREAD_BARRIER_SERIAL_THREAD) serial++;
    assert(arrived >= round * kThreads);
  }
  return NULL;
}

int main(void) {
  pthread_barrier_init(&barrier, NULL, kThreads);
  pthread_t threads[kThreads];
  for (int i = 0; i < kThreads; i++) pthread_create(&threads[i], NULL, take_rounds, NULL);
  for (int i = 0; i < kThreads; i++) pthread_join(threads[i], NULL);
  assert(serial == kRounds);
  assert(pthread_barrier_destroy(&barrier) == 0);
  puts("ok");
}
