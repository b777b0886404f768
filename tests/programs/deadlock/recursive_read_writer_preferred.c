// A thread reads within a read. A rwlock that prefers writers keeps the inner read waiting
// behind a writer, which waits for the outer one.
//
// expect: deadlock
// within: random, 100 runs
// bug: read_twice, get, write_once
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
static int value;

static int get(void) {
  pthread_rwlock_rdlock(&lock);
  const int seen = value;
  pthread_rwlock_unlock(&lock);
  return seen;
}

static void* read_twice(void* unused) {
  (void)unused;
  pthread_rwlock_rdlock(&lock);
  assert(value == get());
  pthread_rwlock_unlock(&lock);
  return NULL;
}

static void* write_once(void* unused) {
  (void)unused;
  pthread_rwlock_wrlock(&lock);
  value++;
  pthread_rwlock_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t reader, writer;
  pthread_create(&reader, NULL, read_twice, NULL);
  pthread_create(&writer, NULL, write_once, NULL);
  pthread_join(reader, NULL);
  pthread_join(writer, NULL);
  puts("ok");
}
