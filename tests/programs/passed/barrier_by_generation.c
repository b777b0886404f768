// A hand-made barrier that counts generations can be used again and again.
//
// expect: passed
// within: random, 50 runs
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

enum { kThreads = 3, kRounds = 3 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t all_here = PTHREAD_COND_INITIALIZER;
static int arrived;
static int generation;

static int barrier_wait(void) {
  pthread_mutex_lock(&lock);
  const int mine = generation;
  if (++arrived == kThreads) {
    arrived = 0;
    generation++;
    pthread_cond_broadcast(&all_here);
  } else {
    while (generation == mine) pthread_cond_wait(&all_here, &lock);
  }
  pthread_mutex_unlock(&lock);
  return mine;
}

static void* take_rounds(void* unused) {
  (void)unused;
  for (int round = 0; round < kRounds; round++) assert(barrier_wait() == round);
  return NULL;
}

int main(void) {
  pthread_t threads[kThreads];
  for (int i = 0; i < kThreads; i++) pthread_create(&threads[i], NULL, take_rounds, NULL);
  for (int i = 0; i < kThreads; i++) pthread_join(threads[i], NULL);
  assert(generation == kRounds);
  puts("ok");
}
