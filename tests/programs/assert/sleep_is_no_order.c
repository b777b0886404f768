// Main sleeps as long as the worker and trusts that it has finished by then. Sleeping orders
// nothing.
//
// expect: assert
// within: random, 100 runs
// bug: work, main
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool finished;

static void* work(void* unused) {
  (void)unused;
  usleep(2000);
  pthread_mutex_lock(&lock);
  finished = true;
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  usleep(2000);
  pthread_mutex_lock(&lock);
  assert(finished);
  pthread_mutex_unlock(&lock);
  pthread_join(thread, NULL);
  puts("ok");
}
