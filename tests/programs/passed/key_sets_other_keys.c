// Destructors set each other's keys in every round, also in the last, and take a lock that other
// threads hold meanwhile.
//
// expect: passed
// within: random, 100 runs
#define _GNU_SOURCE
#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>

enum { kThreads = 3 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_key_t keys[2];
static int calls;

static void destroy(void* key) {
  pthread_mutex_lock(&lock);
  calls++;
  pthread_mutex_unlock(&lock);
  pthread_key_t* other = key == &keys[0] ? &keys[1] : &keys[0];
  pthread_setspecific(*other, other);
}

static void* work(void* unused) {
  pthread_setspecific(keys[0], &keys[0]);
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  for (int i = 0; i < 2; i++) pthread_key_create(&keys[i], destroy);
  pthread_t threads[kThreads];
  for (int i = 0; i < kThreads; i++) pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < kThreads; i++) pthread_join(threads[i], NULL);
  // A key with a higher number still has its turn in the round in which it is set.
  assert(calls >= kThreads * PTHREAD_DESTRUCTOR_ITERATIONS);
  assert(calls <= kThreads * PTHREAD_DESTRUCTOR_ITERATIONS * 2);
  puts("ok");
}
