// A hand-made barrier that counts down to zero: a fast thread enters the next round before a
// slow one has seen that the last one ended, and both wait.
//
// expect: lost-wakeup
// within: random, 100 runs
// bug: barrier_wait
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>

enum { kThreads = 2 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t all_here = PTHREAD_COND_INITIALIZER;
static int arrived;

static void barrier_wait(void) {
  pthread_mutex_lock(&lock);
  arrived++;
  if (arrived == kThreads) {
    arrived = 0;
    pthread_cond_broadcast(&all_here);
  } else {
    while (arrived != 0) pthread_cond_wait(&all_here, &lock);
  }
  pthread_mutex_unlock(&lock);
}

static void* take_rounds(void* unused) {
  (void)unused;
  for (int round = 0; round < 2; round++) barrier_wait();
  return NULL;
}

int main(void) {
  pthread_t threads[kThreads];
  for (int i = 0; i < kThreads; i++) pthread_create(&threads[i], NULL, take_rounds, NULL);
  for (int i = 0; i < kThreads; i++) pthread_join(threads[i], NULL);
  puts("ok");
}
