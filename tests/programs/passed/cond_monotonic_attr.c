// A condition variable whose attribute says CLOCK_MONOTONIC measures deadlines by that clock.
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
static pthread_cond_t never;

static void* wait_in_vain(void* unused) {
  (void)unused;
  struct timespec deadline, now;
  clock_gettime(CLOCK_MONOTONIC, &deadline);
  deadline.tv_sec += 1;

  pthread_mutex_lock(&lock);
  int error = 0;
  while (error == 0) error = pthread_cond_timedwait(&never, &lock, &deadline);
  pthread_mutex_unlock(&lock);

  assert(error == ETIMEDOUT);
  clock_gettime(CLOCK_MONOTONIC, &now);
  assert(now.tv_sec > deadline.tv_sec ||
         (now.tv_sec == deadline.tv_sec && now.tv_nsec >= deadline.tv_nsec));
  assert(now.tv_sec < deadline.tv_sec + 30);
  return NULL;
}

int main(void) {
  pthread_condattr_t monotonic;
  pthread_condattr_init(&monotonic);
  pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
  pthread_cond_init(&never, &monotonic);
  pthread_condattr_destroy(&monotonic);

  pthread_t thread;
  pthread_create(&thread, NULL, wait_in_vain, NULL);
  pthread_join(thread, NULL);
  pthread_cond_destroy(&never);
  puts("ok");
}
