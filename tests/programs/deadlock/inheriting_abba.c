// Two priority-inheriting mutexes in opposite order.
//
// expect: deadlock
// within: random, 100 runs
// bug: forth, back
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t a, b;

static void* forth(void* unused) {
  (void)unused;
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  return NULL;
}

static void* back(void* unused) {
  (void)unused;
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&a);
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  return NULL;
}

int main(void) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT);
  pthread_mutex_init(&a, &attributes);
  pthread_mutex_init(&b, &attributes);
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, forth, NULL);
  pthread_create(&threads[1], NULL, back, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  puts("ok");
}
