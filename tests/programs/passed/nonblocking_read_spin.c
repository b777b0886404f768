// A thread does nothing but read a non-blocking pipe until the other one has written.
//
// expect: passed
// within: random, 40 runs
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static int ends[2];

static void* feed(void* unused) {
  (void)unused;
  assert(write(ends[1], "x", 1) == 1);
  return NULL;
}

int main(void) {
  assert(pipe2(ends, O_NONBLOCK) == 0);
  pthread_t feeder;
  pthread_create(&feeder, NULL, feed, NULL);
  char c = 0;
  while (read(ends[0], &c, 1) != 1) assert(errno == EAGAIN);
  assert(c == 'x');
  pthread_join(feeder, NULL);
  puts("ok");
}
