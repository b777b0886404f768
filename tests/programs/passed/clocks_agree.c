// CLOCK_MONOTONIC never goes back, also from thread to thread; gettimeofday, time and
// CLOCK_REALTIME show the same, and sleeps and timeouts take their time on all of them.
//
// expect: passed
// within: random, 30 runs
#define _GNU_SOURCE
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long long latest;

static long long nanoseconds(clockid_t clock) {
  struct timespec now;
  assert(clock_gettime(clock, &now) == 0);
  return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static void check_growth(void) {
  pthread_mutex_lock(&lock);
  long long now = nanoseconds(CLOCK_MONOTONIC);
  assert(now >= latest);
  latest = now;
  pthread_mutex_unlock(&lock);
}

static void* watch_clock(void* unused) {
  (void)unused;
  for (int i = 0; i < 3; i++) {
    check_growth();
    usleep(2000);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, watch_clock, NULL);

  struct timeval by_day;
  long long before = nanoseconds(CLOCK_REALTIME);
  assert(gettimeofday(&by_day, NULL) == 0);
  long long after = nanoseconds(CLOCK_REALTIME);
  long long between = by_day.tv_sec * 1000000000LL + by_day.tv_usec * 1000LL;
  assert(before / 1000 * 1000 <= between && between <= after);
  time_t seconds = time(NULL);
  assert(seconds >= after / 1000000000 - 1 && seconds <= nanoseconds(CLOCK_REALTIME) / 1000000000);

  struct timeval length = {.tv_usec = 4000};
  int set = epoll_create1(0);
  struct epoll_event event;
  before = nanoseconds(CLOCK_MONOTONIC);
  assert(poll(NULL, 0, 3) == 0);
  assert(select(0, NULL, NULL, NULL, &length) == 0);
  assert(epoll_wait(set, &event, 1, 5) == 0);
  assert(nanoseconds(CLOCK_MONOTONIC) - before >= 12000000);
  close(set);

  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  check_growth();
  puts("ok");
}
