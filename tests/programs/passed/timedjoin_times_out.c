// pthread_timedjoin_np times out while the thread is held up, then joins it.
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

static struct timespec from_now(time_t seconds, long nanoseconds) {
  struct timespec when;
  clock_gettime(CLOCK_REALTIME, &when);
  when.tv_sec += seconds;
  when.tv_nsec += nanoseconds;
  if (when.tv_nsec >= 1000000000) {
    when.tv_sec++;
    when.tv_nsec -= 1000000000;
  }
  return when;
}

int main(void) {
  int token = 0;
  void* value = NULL;
  pthread_t thread;
  pthread_mutex_lock(&gate);
  pthread_create(&thread, NULL, pass_gate, &token);

  const struct timespec soon = from_now(0, 5000000);
  assert(pthread_timedjoin_np(thread, &value, &soon) == ETIMEDOUT);
  pthread_mutex_unlock(&gate);
  const struct timespec late = from_now(60, 0);
  assert(pthread_timedjoin_np(thread, &value, &late) == 0);

  assert(value == &token);
  puts("ok");
}
