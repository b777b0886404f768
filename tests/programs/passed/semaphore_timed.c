// sem_timedwait and sem_clockwait time out at zero and succeed once somebody posts.
//
// expect: passed
// within: random, 50 runs
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <time.h>

static sem_t never, items;

static struct timespec seconds_from_now(clockid_t clock, time_t seconds) {
  struct timespec when;
  clock_gettime(clock, &when);
  when.tv_sec += seconds;
  return when;
}

static void* time_out(void* unused) {
  (void)unused;
  struct timespec soon = seconds_from_now(CLOCK_REALTIME, 1);
  assert(sem_timedwait(&never, &soon) == -1 && errno == ETIMEDOUT);
  soon = seconds_from_now(CLOCK_MONOTONIC, 1);
  assert(sem_clockwait(&never, CLOCK_MONOTONIC, &soon) == -1 && errno == ETIMEDOUT);
  return NULL;
}

static void* get_items(void* unused) {
  (void)unused;
  struct timespec late = seconds_from_now(CLOCK_REALTIME, 60);
  assert(sem_timedwait(&items, &late) == 0);
  late = seconds_from_now(CLOCK_MONOTONIC, 60);
  assert(sem_clockwait(&items, CLOCK_MONOTONIC, &late) == 0);
  return NULL;
}

int main(void) {
  sem_init(&never, 0, 0);
  sem_init(&items, 0, 0);
  pthread_t late, lucky;
  pthread_create(&lucky, NULL, get_items, NULL);
  sem_post(&items);
  sem_post(&items);
  pthread_join(lucky, NULL);
  pthread_create(&late, NULL, time_out, NULL);
  pthread_join(late, NULL);
  puts("ok");
}
