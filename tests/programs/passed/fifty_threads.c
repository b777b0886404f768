// Fifty threads, all of them alive at once, add to one counter.
//
// expect: passed
// within: random, 20 runs
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

enum { kThreads = 50 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void* add_one(void* unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  counter++;
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t threads[kThreads];
  pthread_mutex_lock(&lock);
  for (int i = 0; i < kThreads; i++) assert(pthread_create(&threads[i], NULL, add_one, NULL) == 0);
  pthread_mutex_unlock(&lock);

  for (int i = 0; i < kThreads; i++) pthread_join(threads[i], NULL);
  assert(counter == kThreads);
  puts("ok");
}
