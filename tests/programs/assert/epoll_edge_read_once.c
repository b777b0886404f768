// The reader of an edge-triggered set reads one byte per event and gives up after a timeout; bytes
// that came before it looked are left behind.
//
// expect: assert
// within: random, 100 runs
// bug: feed, main
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <unistd.h>

static int ends[2];

static void* feed(void* unused) {
  (void)unused;
  for (int i = 0; i < 2; i++) assert(write(ends[1], "x", 1) == 1);
  return NULL;
}

int main(void) {
  pthread_t feeder;
  assert(pipe(ends) == 0);
  int set = epoll_create1(0), bytes = 0;
  struct epoll_event event = {.events = EPOLLIN | EPOLLET, .data.fd = ends[0]};
  assert(epoll_ctl(set, EPOLL_CTL_ADD, ends[0], &event) == 0);
  pthread_create(&feeder, NULL, feed, NULL);
  while (bytes < 2 && epoll_wait(set, &event, 1, 60 * 1000) == 1) {
    char c;
    assert(read(ends[0], &c, 1) == 1);
    bytes++;
  }
  assert(bytes == 2);
  pthread_join(feeder, NULL);
  puts("ok");
}
