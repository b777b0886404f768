// poll() with a timeout of 0 in a loop is a spin: the thread that it waits for gets its turn.
//
// expect: passed
// within: random, 40 runs
#define _GNU_SOURCE
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static int ends[2];

static void* feed(void* unused) {
  (void)unused;
  usleep(1000);
  assert(write(ends[1], "x", 1) == 1);
  return NULL;
}

int main(void) {
  assert(pipe(ends) == 0);
  pthread_t feeder;
  pthread_create(&feeder, NULL, feed, NULL);
  struct pollfd wish = {.fd = ends[0], .events = POLLIN};
  while (poll(&wish, 1, 0) == 0) continue;
  assert(wish.revents == POLLIN);
  pthread_join(feeder, NULL);
  puts("ok");
}
