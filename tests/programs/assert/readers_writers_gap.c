// The writer updates the two halves of a pair under two write locks: a reader sees them apart.
//
// expect: assert
// within: random, 100 runs
// bug: update, check
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int left, right;

static void* update(void* unused) {
  (void)unused;
  pthread_rwlock_wrlock(&lock);
  left++;
  pthread_rwlock_unlock(&lock);
  pthread_rwlock_wrlock(&lock);
  right++;
  pthread_rwlock_unlock(&lock);
  return NULL;
}

static void* check(void* unused) {
  (void)unused;
  pthread_rwlock_rdlock(&lock);
  assert(left == right);
  pthread_rwlock_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t writer, readers[2];
  pthread_create(&writer, NULL, update, NULL);
  for (int i = 0; i < 2; i++) pthread_create(&readers[i], NULL, check, NULL);
  pthread_join(writer, NULL);
  for (int i = 0; i < 2; i++) pthread_join(readers[i], NULL);
  puts("ok");
}
