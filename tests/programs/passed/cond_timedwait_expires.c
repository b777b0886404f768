// Nobody signals: the timed wait ends at its deadline with the mutex held again.
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
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static int ready;
static int expired;

static void* wait_in_vain(void* unused) {
  (void)unused;
  struct timespec deadline, now;
  clock_gettime(CLOCK_REALTIME, &deadline);
  deadline.tv_sec += 1;

  pthread_mutex_lock(&lock);
  int error = 0;
  while (!ready && error == 0) error = pthread_cond_timedwait(&never, &lock, &deadline);
  assert(error == ETIMEDOUT);
  clock_gettime(CLOCK_REALTIME, &now);
  assert(now.tv_sec > deadline.tv_sec ||
         (now.tv_sec == deadline.tv_sec && now.tv_nsec >= deadline.tv_nsec));
  expired++;
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, wait_in_vain, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  assert(expired == 2);
  puts("ok");
}
