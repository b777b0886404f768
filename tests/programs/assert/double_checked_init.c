// The lock is let go between the check and the initialisation: both threads initialise.
//
// expect: assert
// within: random, 100 runs
// bug: get
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool initialised;
static int times;

static void get(void) {
  pthread_mutex_lock(&lock);
  const bool missing = !initialised;
  pthread_mutex_unlock(&lock);
  if (missing) {
    pthread_mutex_lock(&lock);
    times++;
    initialised = true;
    pthread_mutex_unlock(&lock);
  }
}

static void* use(void* unused) {
  (void)unused;
  get();
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, use, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  assert(times == 1);
  puts("ok");
}
