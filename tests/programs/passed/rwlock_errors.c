// The writer that asks for its own rwlock again gets EDEADLK; a bad deadline is EINVAL.
//
// expect: passed
// within: random, 50 runs
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int value;

static void* write_once(void* unused) {
  (void)unused;
  assert(pthread_rwlock_wrlock(&lock) == 0);
  assert(pthread_rwlock_wrlock(&lock) == EDEADLK);
  assert(pthread_rwlock_rdlock(&lock) == EDEADLK);
  const struct timespec bad = {.tv_sec = 0, .tv_nsec = -1};
  assert(pthread_rwlock_timedrdlock(&lock, &bad) == EINVAL);
  assert(pthread_rwlock_timedwrlock(&lock, &bad) == EINVAL);
  value++;
  assert(pthread_rwlock_unlock(&lock) == 0);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, write_once, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  assert(value == 2);
  assert(pthread_rwlock_destroy(&lock) == 0);
  puts("ok");
}
