// Main creates its first thread while it holds a recursive and an errorcheck mutex, and is
// still their owner afterwards.
//
// expect: passed
// within: random, 50 runs
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t errorcheck = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static int value;

static void* work(void* unused) {
  (void)unused;
  assert(pthread_mutex_unlock(&errorcheck) == EPERM);
  pthread_mutex_lock(&recursive);
  pthread_mutex_lock(&errorcheck);
  pthread_rwlock_rdlock(&rwlock);
  assert(value == 1);
  pthread_rwlock_unlock(&rwlock);
  pthread_mutex_unlock(&errorcheck);
  pthread_mutex_unlock(&recursive);
  return NULL;
}

int main(void) {
  pthread_mutex_lock(&recursive);
  pthread_mutex_lock(&recursive);
  pthread_mutex_lock(&errorcheck);
  pthread_rwlock_wrlock(&rwlock);
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);

  assert(pthread_mutex_lock(&errorcheck) == EDEADLK);
  assert(pthread_mutex_lock(&recursive) == 0);
  assert(pthread_rwlock_wrlock(&rwlock) == EDEADLK);
  value = 1;
  assert(pthread_rwlock_unlock(&rwlock) == 0);
  assert(pthread_mutex_unlock(&errorcheck) == 0);
  for (int i = 0; i < 3; i++) assert(pthread_mutex_unlock(&recursive) == 0);
  assert(pthread_mutex_unlock(&recursive) == EPERM);

  pthread_join(thread, NULL);
  puts("ok");
}
