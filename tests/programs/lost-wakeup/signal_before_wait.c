// The waiter keeps no predicate: a signal sent before it waits is gone.
//
// expect: lost-wakeup
// within: random, 100 runs
// bug: wait_for_signal, main
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t started = PTHREAD_COND_INITIALIZER;

static void* wait_for_signal(void* unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  pthread_cond_wait(&started, &lock);
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, wait_for_signal, NULL);
  pthread_mutex_lock(&lock);
  pthread_cond_signal(&started);
  pthread_mutex_unlock(&lock);
  pthread_join(thread, NULL);
  puts("ok");
}
