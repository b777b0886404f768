// pthread_mutex_timedlock gives up at its deadline, and not before, while main holds the mutex.
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

static void* give_up(void* unused) {
  (void)unused;
  struct timespec deadline, now;
  clock_gettime(CLOCK_REALTIME, &deadline);
  deadline.tv_sec += 1;
  assert(pthread_mutex_timedlock(&lock, &deadline) == ETIMEDOUT);
  clock_gettime(CLOCK_REALTIME, &now);
  assert(now.tv_sec > deadline.tv_sec ||
         (now.tv_sec == deadline.tv_sec && now.tv_nsec >= deadline.tv_nsec));
  return NULL;
}

static void* get_it(void* unused) {
  (void)unused;
  struct timespec deadline;
  clock_gettime(CLOCK_REALTIME, &deadline);
  deadline.tv_sec += 60;
  assert(pthread_mutex_timedlock(&lock, &deadline) == 0);
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
