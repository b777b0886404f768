// A timed lock that gives up has waited until the moment that it was given, by the clock.
//
// expect: passed
// within: random, 30 runs
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int is_before(const struct timespec* a, const struct timespec* b) {
  return a->tv_sec < b->tv_sec || (a->tv_sec == b->tv_sec && a->tv_nsec < b->tv_nsec);
}

static void* lock_in_vain(void* unused) {
  (void)unused;
  struct timespec moment, now;
  clock_gettime(CLOCK_REALTIME, &moment);
  moment.tv_nsec += 8000000;
  if (moment.tv_nsec >= 1000000000) {
    moment.tv_nsec -= 1000000000;
    moment.tv_sec++;
  }
  assert(pthread_mutex_timedlock(&lock, &moment) == ETIMEDOUT);
  clock_gettime(CLOCK_REALTIME, &now);
  assert(!is_before(&now, &moment));
  return NULL;
}

int main(void) {
  pthread_mutex_lock(&lock);
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, lock_in_vain, NULL);
  usleep(3000);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  pthread_mutex_unlock(&lock);
  puts("ok");
}
