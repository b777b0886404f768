// The try-forms of a rwlock: readers get in beside a reader, nobody beside a writer.
//
// expect: passed
// within: random, 50 runs
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void* beside_a_reader(void* unused) {
  (void)unused;
  assert(pthread_rwlock_tryrdlock(&lock) == 0);
  assert(pthread_rwlock_unlock(&lock) == 0);
  assert(pthread_rwlock_trywrlock(&lock) == EBUSY);
  return NULL;
}

static void* beside_a_writer(void* unused) {
  (void)unused;
  assert(pthread_rwlock_tryrdlock(&lock) == EBUSY);
  assert(pthread_rwlock_trywrlock(&lock) == EBUSY);
  return NULL;
}

static void run_beside(void* (*work)(void*)) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  pthread_rwlock_unlock(&lock);
}

int main(void) {
  pthread_rwlock_rdlock(&lock);
  run_beside(beside_a_reader);
  pthread_rwlock_wrlock(&lock);
  run_beside(beside_a_writer);
  puts("ok");
}
