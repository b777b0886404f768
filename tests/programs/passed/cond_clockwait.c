// pthread_cond_clockwait by both clocks: the near deadline may pass first, the far one must not.
//
// expect: passed
// within: random, 50 runs
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

static int wait_until_ready(clockid_t clock, time_t seconds) {
  struct timespec deadline;
  clock_gettime(clock, &deadline);
  deadline.tv_sec += seconds;
  int error = 0;
  pthread_mutex_lock(&lock);
  while (!ready && error == 0) error = pthread_cond_clockwait(&changed, &lock, clock, &deadline);
  assert(ready || error == ETIMEDOUT);
  pthread_mutex_unlock(&lock);
  return error;
}

static void* wait_patiently(void* unused) {
  (void)unused;
  assert(wait_until_ready(CLOCK_MONOTONIC, 60) == 0);
  return NULL;
}

static void* wait_briefly(void* unused) {
  (void)unused;
  const int error = wait_until_ready(CLOCK_REALTIME, 0);
  assert(error == 0 || error == ETIMEDOUT);
  return NULL;
}

int main(void) {
  pthread_t patient, brief;
  pthread_create(&patient, NULL, wait_patiently, NULL);
  pthread_create(&brief, NULL, wait_briefly, NULL);
  pthread_mutex_lock(&lock);
  ready = 1;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
  pthread_join(patient, NULL);
  pthread_join(brief, NULL);
  puts("ok");
}
