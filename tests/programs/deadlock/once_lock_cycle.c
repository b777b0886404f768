// One thread calls pthread_once under a lock that the initialiser needs, while another one is
// already running the initialiser.
//
// expect: deadlock
// within: random, 100 runs
// bug: initialise, use, use_locked
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static int value;

static void initialise(void) {
  pthread_mutex_lock(&lock);
  value = 42;
  pthread_mutex_unlock(&lock);
}

static void* use(void* unused) {
  (void)unused;
  pthread_once(&once, initialise);
  return NULL;
}

static void* use_locked(void* unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  pthread_once(&once, initialise);
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, use, NULL);
  pthread_create(&threads[1], NULL, use_locked, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  puts("ok");
}
