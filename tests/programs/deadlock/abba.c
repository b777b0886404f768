// Two threads take two locks in opposite order.
//
// expect: deadlock
// within: random, 100 runs
// bug: take_a_then_b, take_b_then_a
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;

static void* take_a_then_b(void* unused) {
  (void)unused;
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  return NULL;
}

static void* take_b_then_a(void* unused) {
  (void)unused;
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&a);
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
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
