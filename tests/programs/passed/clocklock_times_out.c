// pthread_mutex_clocklock takes the clock of its deadline: both clocks time out and both lock.
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

static int lock_within(clockid_t clock, time_t seconds, long nanoseconds) {
  struct timespec deadline;
  clock_gettime(clock, &deadline);
  deadline.tv_sec += seconds;
  deadline.tv_nsec += nanoseconds;
  if (deadline.tv_nsec >= 1000000000) {
    deadline.tv_sec++;
    deadline.tv_nsec -= 1000000000;
  }
  return pthread_mutex_clocklock(&lock, clock, &deadline);
}

static void* give_up(void* unused) {
  (void)unused;
  assert(lock_within(CLOCK_MONOTONIC, 0, 3000000) == ETIMEDOUT);
  assert(lock_within(CLOCK_REALTIME, 0, 3000000) == ETIMEDOUT);
  return NULL;
}

static void* get_it(void* unused) {
  (void)unused;
  assert(lock_within(CLOCK_MONOTONIC, 60, 0) == 0);
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t late, lucky;
  pthread_mutex_lock(&lock);
  pthread_create(&late, NULL, give_up, NULL);
  pthread_create(&lucky, NULL, get_it, NULL);
  pthread_join(late, NULL);
  pthread_mutex_unlock(&lock);
  pthread_join(lucky, NULL);
  puts("ok");
}
