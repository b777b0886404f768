// Whoever finds the owner dead goes on without repairing what the mutex protects.
//
// expect: assert
// within: random, 100 runs
// bug: transfer, audit, main
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock;
static int from = 10, to = 0;

static void* transfer(void* ends_early) {
  if (pthread_mutex_lock(&lock) == EOWNERDEAD) pthread_mutex_consistent(&lock);
  from -= 1;
  if (ends_early) pthread_exit(NULL);
  to += 1;
  pthread_mutex_unlock(&lock);
  return NULL;
}

static void* audit(void* unused) {
  (void)unused;
  if (pthread_mutex_lock(&lock) == EOWNERDEAD) pthread_mutex_consistent(&lock);
  assert(from + to == 10);
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&lock, &attributes);
  pthread_t threads[3];
  pthread_create(&threads[0], NULL, transfer, NULL);
  pthread_create(&threads[1], NULL, transfer, "ends early");
  pthread_create(&threads[2], NULL, audit, NULL);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  puts("ok");
}
