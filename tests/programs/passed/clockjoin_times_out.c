// pthread_clockjoin_np times out by the monotonic clock while the thread is held up.
//
// expect: passed
// within: random, 50 runs
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

static void* pass_gate(void* value) {
  pthread_mutex_lock(&gate);
  pthread_mutex_unlock(&gate);
  return value;
}

int main(void) {
  int token = 0;
  void* value = NULL;
  pthread_t thread;
  struct timespec deadline;
  clock_gettime(CLOCK_MONOTONIC, &deadline);
  deadline.tv_sec += 1;
  pthread_mutex_lock(&gate);
  pthread_create(&thread, NULL, pass_gate, &token);

  assert(pthread_clockjoin_np(thread, &value, CLOCK_MONOTONIC, &deadline) == ETIMEDOUT);
  pthread_mutex_unlock(&gate);
  deadline.tv_sec += 60;
  assert(pthread_clockjoin_np(thread, &value, CLOCK_MONOTONIC, &deadline) == 0);

  assert(value == &token);
  puts("ok");
}
