// A thread ends while it holds a robust mutex. The next owner is told, repairs it and goes on.
//
// expect: passed
// within: random, 50 runs
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock;

static void* die_holding(void* unused) {
  (void)unused;
  assert(pthread_mutex_lock(&lock) == 0);
  return NULL;
}

int main(void) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&lock, &attributes);

  pthread_t thread;
  pthread_create(&thread, NULL, die_holding, NULL);
  pthread_join(thread, NULL);
  assert(pthread_mutex_trylock(&lock) == EOWNERDEAD);
  assert(pthread_mutex_consistent(&lock) == 0);
  assert(pthread_mutex_unlock(&lock) == 0);
  assert(pthread_mutex_lock(&lock) == 0);
  assert(pthread_mutex_trylock(&lock) == EBUSY);
  assert(pthread_mutex_unlock(&lock) == 0);
  assert(pthread_mutex_destroy(&lock) == 0);
  puts("ok");
}
