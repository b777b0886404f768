// Two locks in opposite order, but always under a third one: no deadlock is possible.
//
// expect: passed
// within: random, 50 runs
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;

static void take(pthread_mutex_t* first, pthread_mutex_t* second) {
  pthread_mutex_lock(&gate);
  pthread_mutex_lock(first);
  pthread_mutex_lock(second);
  pthread_mutex_unlock(&gate);
  pthread_mutex_unlock(second);
  pthread_mutex_unlock(first);
}

static void* take_a_then_b(void* unused) {
  (void)unused;
  take(&a, &b);
  return NULL;
}

static void* take_b_then_a(void* unused) {
  (void)unused;
  take(&b, &a);
  return NULL;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, take_a_then_b, NULL);
  pthread_create(&second, NULL, take_b_then_a, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  puts("ok");
}
