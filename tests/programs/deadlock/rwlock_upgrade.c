// The value is missing, so the reader fills it in, and asks for the write lock while it and
// maybe another reader still hold the read lock.
//
// expect: deadlock
// within: random, 100 runs
// bug: look_up, fill, main
#define _GNU_SOURCE
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static bool cached;

static void fill(void) {
  pthread_rwlock_wrlock(&lock);
  cached = true;
  pthread_rwlock_unlock(&lock);
}

static void* look_up(void* unused) {
  (void)unused;
  pthread_rwlock_rdlock(&lock);
  if (!cached) fill();
  pthread_rwlock_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t readers[2];
  for (int i = 0; i < 2; i++) pthread_create(&readers[i], NULL, look_up, NULL);
  fill();
  for (int i = 0; i < 2; i++) pthread_join(readers[i], NULL);
  puts("ok");
}
