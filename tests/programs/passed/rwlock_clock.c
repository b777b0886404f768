// The clock forms of a rwlock, by the monotonic clock.
//
// expect: passed
// within: random, 50 runs
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static struct timespec seconds_from_now(time_t seconds) {
  struct timespec when;
  clock_gettime(CLOCK_MONOTONIC, &when);
  when.tv_sec += seconds;
  return when;
}

static void* give_up(void* unused) {
  (void)unused;
  const struct timespec soon = seconds_from_now(1);
  assert(pthread_rwlock_clockrdlock(&lock, CLOCK_MONOTONIC, &soon) == ETIMEDOUT);
  assert(pthread_rwlock_clockwrlock(&lock, CLOCK_MONOTONIC, &soon) == ETIMEDOUT);
  return NULL;
}

static void* get_in(void* unused) {
  (void)unused;
  const struct timespec late = seconds_from_now(60);
  assert(pthread_rwlock_clockwrlock(&lock, CLOCK_MONOTONIC, &late) == 0);
  pthread_rwlock_unlock(&lock);
  assert(pthread_rwlock_clockrdlock(&lock, CLOCK_MONOTONIC, &late) == 0);
  pthread_rwlock_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t late, lucky;
  pthread_rwlock_wrlock(&lock);
  pthread_create(&late, NULL, give_up, NULL);
  pthread_create(&lucky, NULL, get_in, NULL);
  pthread_join(late, NULL);
  pthread_rwlock_unlock(&lock);
  pthread_join(lucky, NULL);
  puts("ok");
}
