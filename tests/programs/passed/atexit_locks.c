// An atexit handler takes a lock that a thread still alive may hold for a moment.
//
// expect: passed
// within: random, 50 runs
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int left, right;

static void check(void) {
  pthread_mutex_lock(&lock);
  assert(left == right);
  pthread_mutex_unlock(&lock);
  puts("ok");
}

static void* work(void* unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  left++;
  sched_yield();
  right++;
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  atexit(check);
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  pthread_detach(thread);
  sched_yield();
}
