// The same bytes hold one mutex after another: destroyed and made anew, of another kind,
// never destroyed, and copied from a fresh one.
//
// expect: passed
// within: random, 50 runs
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static const pthread_mutex_t fresh = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t lock;
static int counter;

static void* add_one(void* unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  counter++;
  pthread_mutex_unlock(&lock);
  return NULL;
}

static void add_from_two_threads(void) {
  pthread_t threads[2];
  counter = 0;
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, add_one, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  assert(counter == 2);
}

int main(void) {
  pthread_mutex_init(&lock, NULL);
  add_from_two_threads();
  pthread_mutex_destroy(&lock);

  pthread_mutexattr_t errorcheck;
  pthread_mutexattr_init(&errorcheck);
  pthread_mutexattr_settype(&errorcheck, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&lock, &errorcheck);
  pthread_mutex_lock(&lock);
  assert(pthread_mutex_lock(&lock) == EDEADLK);

  // The errorcheck mutex is still locked: its memory is simply given a new life.
  memcpy(&lock, &fresh, sizeof lock);
  add_from_two_threads();
  puts("ok");
}
