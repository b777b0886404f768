// A non-blocking read of an empty pipe says EAGAIN at once; the reader yields until there is more.
//
// expect: passed
// within: random, 40 runs
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <unistd.h>

static int ends[2];

static void* feed(void* unused) {
  (void)unused;
  assert(write(ends[1], "x", 1) == 1);
  return NULL;
}

int main(void) {
  assert(pipe(ends) == 0);
  assert(fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0);
  char c = 0;
  assert(read(ends[0], &c, 1) == -1 && errno == EAGAIN);
  pthread_t feeder;
  pthread_create(&feeder, NULL, feed, NULL);
  while (read(ends[0], &c, 1) != 1) {
    assert(errno == EAGAIN);
    sched_yield();
  }
  assert(c == 'x');
  assert(fcntl(ends[0], F_GETFL) & O_NONBLOCK);
  assert(!(fcntl(ends[1], F_GETFL) & O_NONBLOCK));
  pthread_join(feeder, NULL);
  puts("ok");
}
