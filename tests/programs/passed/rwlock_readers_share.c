// Two readers meet at a barrier inside their read locks; writers are alone.
//
// expect: passed
// within: random, 50 runs
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t inside;
static int value;

static void* read_together(void* unused) {
  (void)unused;
  pthread_rwlock_rdlock(&lock);
  const int seen = value;
  pthread_barrier_wait(&inside);
  assert(value == seen);
  pthread_rwlock_unlock(&lock);
  return NULL;
}

static void* add_one(void* unused) {
  (void)unused;
  pthread_rwlock_wrlock(&lock);
  value++;
  pthread_rwlock_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_barrier_init(&inside, NULL, 2);
  pthread_t readers[2], writers[2];
  for (int i = 0; i < 2; i++) pthread_create(&readers[i], NULL, read_together, NULL);
  for (int i = 0; i < 2; i++) pthread_create(&writers[i], NULL, add_one, NULL);
  for (int i = 0; i < 2; i++) pthread_join(readers[i], NULL);
  for (int i = 0; i < 2; i++) pthread_join(writers[i], NULL);
  assert(value == 2);
  puts("ok");
}
