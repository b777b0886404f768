// A thread that joins main is cancelled, and main joins it: no deadlock, since it leaves its join.
//
// expect: passed
// within: random, 60 runs
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

static pthread_t main_thread;

static void* join_main(void* unused) {
  (void)unused;
  pthread_join(main_thread, NULL);
  return NULL;
}

static void* join_main_for_long(void* unused) {
  (void)unused;
  struct timespec late;
  clock_gettime(CLOCK_REALTIME, &late);
  late.tv_sec += 10000;
  pthread_timedjoin_np(main_thread, NULL, &late);
  return NULL;
}

static void cancel_and_join(void* (*routine)(void*)) {
  pthread_t joiner;
  assert(pthread_create(&joiner, NULL, routine, NULL) == 0);
  assert(pthread_cancel(joiner) == 0);
  void* result = NULL;
  assert(pthread_join(joiner, &result) == 0);
  assert(result == PTHREAD_CANCELED);
}

int main(void) {
  main_thread = pthread_self();
  cancel_and_join(join_main);
  cancel_and_join(join_main_for_long);
  puts("ok");
}
