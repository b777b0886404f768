// Main returns while other threads are blocked for ever: that is no deadlock.
//
// expect: passed
// within: random, 50 runs
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;

static void* wait_for_signal(void* unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  for (;;) pthread_cond_wait(&never, &lock);
  return NULL;
}

static void* wait_for_lock(void* unused) {
  (void)unused;
  pthread_mutex_lock(&held);
  return NULL;
}

int main(void) {
  pthread_t waiter, locker;
  pthread_mutex_lock(&held);
  pthread_create(&waiter, NULL, wait_for_signal, NULL);
  pthread_create(&locker, NULL, wait_for_lock, NULL);
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  puts("ok");
}
