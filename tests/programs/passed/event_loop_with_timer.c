// An event loop polls without waiting until its own timer is due, 50 ms after it began, while
// another thread waits for it.
//
// expect: passed
// within: random, 50 runs
#define _GNU_SOURCE
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static int ends[2];

static long long microseconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000LL + time.tv_nsec / 1000;
}

static void* loop(void* unused) {
  (void)unused;
  const long long due = microseconds() + 50000;
  int rounds = 0;
  while (microseconds() < due) {
    struct pollfd wish = {.fd = ends[0], .events = POLLIN};
    poll(&wish, 1, 0);
    if (++rounds % 3 == 0) sched_yield();
    if (rounds % 5 == 0) usleep(0);
  }
  return NULL;
}

int main(void) {
  pthread_t thread;
  if (pipe(ends) != 0) return 2;
  pthread_create(&thread, NULL, loop, NULL);
  pthread_join(thread, NULL);
  puts("ok");
}
