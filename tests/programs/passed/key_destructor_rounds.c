// The destructor of a thread-specific value sets it again, so it is called in several rounds.
//
// expect: passed
// within: random, 50 runs
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

static pthread_key_t key;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int rounds;

static void destroy(void* value) {
  pthread_mutex_lock(&lock);
  rounds++;
  pthread_mutex_unlock(&lock);
  const intptr_t left = (intptr_t)value - 1;
  if (left > 0) pthread_setspecific(key, (void*)left);
}

static void* work(void* left) {
  pthread_setspecific(key, left);
  assert(pthread_getspecific(key) == left);
  return NULL;
}

int main(void) {
  assert(pthread_key_create(&key, destroy) == 0);
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, (void*)3);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  assert(rounds == 6);
  pthread_key_delete(key);
  puts("ok");
}
