// After a sleep of any kind at least that much time has passed by the clock.
//
// expect: passed
// within: random, 20 runs
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static long long now_us(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000LL + now.tv_nsec / 1000;
}

static void* sleep_all_ways(void* unused) {
  (void)unused;
  long long begin = now_us();
  assert(sleep(1) == 0);
  assert(now_us() - begin >= 1000000);

  begin = now_us();
  assert(usleep(20000) == 0);
  assert(now_us() - begin >= 20000);

  const struct timespec ten_ms = {.tv_sec = 0, .tv_nsec = 10000000};
  begin = now_us();
  assert(nanosleep(&ten_ms, NULL) == 0);
  assert(now_us() - begin >= 10000);

  begin = now_us();
  assert(clock_nanosleep(CLOCK_MONOTONIC, 0, &ten_ms, NULL) == 0);
  assert(now_us() - begin >= 10000);

  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += 1;
  assert(clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &until, NULL) == 0);
  struct timespec after;
  clock_gettime(CLOCK_REALTIME, &after);
  assert(after.tv_sec > until.tv_sec ||
         (after.tv_sec == until.tv_sec && after.tv_nsec >= until.tv_nsec));
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, sleep_all_ways, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  puts("ok");
}
