// A hand-made "once" says that it is initialised before it is.
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
static int value;

static int get(void) {
  pthread_mutex_lock(&lock);
  const bool mine = !initialised;
  initialised = true;
  pthread_mutex_unlock(&lock);
  if (mine) {
    pthread_mutex_lock(&lock);
    value = 42;
    pthread_mutex_unlock(&lock);
  }
  return value;
}

static void* use(void* unused) {
  (void)unused;
  assert(get() == 42);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, use, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  puts("ok");
}
