// Readers and writers on a rwlock that prefers writers; every order of arrival works.
//
// expect: passed
// within: random, 50 runs
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static pthread_rwlock_t lock;
static int left, right;

static void* read_both(void* unused) {
  (void)unused;
  for (int i = 0; i < 2; i++) {
    pthread_rwlock_rdlock(&lock);
    assert(left == right);
    pthread_rwlock_unlock(&lock);
  }
  return NULL;
}

static void* write_both(void* unused) {
  (void)unused;
  for (int i = 0; i < 2; i++) {
    pthread_rwlock_wrlock(&lock);
    left++;
    right++;
    pthread_rwlock_unlock(&lock);
  }
  return NULL;
}

int main(void) {
  pthread_rwlockattr_t writers_first;
  pthread_rwlockattr_init(&writers_first);
  pthread_rwlockattr_setkind_np(&writers_first, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
  pthread_rwlock_init(&lock, &writers_first);

  pthread_t readers[2], writers[2];
  for (int i = 0; i < 2; i++) pthread_create(&readers[i], NULL, read_both, NULL);
  for (int i = 0; i < 2; i++) pthread_create(&writers[i], NULL, write_both, NULL);
  for (int i = 0; i < 2; i++) pthread_join(readers[i], NULL);
  for (int i = 0; i < 2; i++) pthread_join(writers[i], NULL);
  assert(left == 4 && right == 4);
  puts("ok");
}
