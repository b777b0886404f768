// select() leaves in its timeout what was left of it, and nothing when it ran out.
//
// expect: passed
// within: random, 30 runs
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/select.h>
#include <unistd.h>

static int ends[2];

static void* feed(void* unused) {
  (void)unused;
  usleep(20 * 1000);
  assert(write(ends[1], "x", 1) == 1);
  return NULL;
}

int main(void) {
  assert(pipe(ends) == 0);
  pthread_t feeder;
  pthread_create(&feeder, NULL, feed, NULL);
  fd_set wanted;
  FD_ZERO(&wanted);
  FD_SET(ends[0], &wanted);
  struct timeval left = {.tv_sec = 100};
  assert(select(ends[0] + 1, &wanted, NULL, NULL, &left) == 1);
  assert(left.tv_sec == 99 && left.tv_usec > 0);
  left = (struct timeval){.tv_usec = 5000};
  assert(select(0, NULL, NULL, NULL, &left) == 0);
  assert(left.tv_sec == 0 && left.tv_usec == 0);
  pthread_join(feeder, NULL);
  puts("ok");
}
