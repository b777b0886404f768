// A recursive mutex is taken three deep and is free only after the third unlock.
//
// expect: passed
// within: random, 50 runs
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock;
static int counter;

static void add(int depth) {
  pthread_mutex_lock(&lock);
  if (depth > 1) add(depth - 1);
  counter++;
  pthread_mutex_unlock(&lock);
}

static void* work(void* unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  const int before = counter;
  add(2);
  assert(pthread_mutex_trylock(&lock) == 0);
  pthread_mutex_unlock(&lock);
  assert(counter == before + 2);
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_mutexattr_t recursive;
  pthread_mutexattr_init(&recursive);
  pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&lock, &recursive);
  assert(pthread_mutex_unlock(&lock) == EPERM);

  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  assert(counter == 4);
  pthread_mutex_destroy(&lock);
  puts("ok");
}
