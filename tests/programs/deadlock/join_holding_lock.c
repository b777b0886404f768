// Main joins the worker while it holds the lock that the worker needs.
//
// expect: deadlock
// within: random, 100 runs
// bug: work, main
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int result;

static void* work(void* unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  result = 42;
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  pthread_mutex_lock(&lock);
  pthread_join(thread, NULL);
  printf("%d\n", result);
  pthread_mutex_unlock(&lock);
}
