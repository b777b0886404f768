// A level-triggered epoll set reports a pipe for as long as something is in it.
//
// expect: passed
// within: random, 40 runs
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <unistd.h>

static int ends[2];

static void* feed(void* unused) {
  (void)unused;
  assert(write(ends[1], "ab", 2) == 2);
  assert(write(ends[1], "c", 1) == 1);
  close(ends[1]);
  return NULL;
}

int main(void) {
  pthread_t feeder;
  int set = epoll_create1(EPOLL_CLOEXEC);
  assert(set >= 0 && pipe(ends) == 0);
  struct epoll_event event = {.events = EPOLLIN, .data.fd = ends[0]};
  assert(epoll_ctl(set, EPOLL_CTL_ADD, ends[0], &event) == 0);
  assert(epoll_wait(set, &event, 1, 5) == 0);
  pthread_create(&feeder, NULL, feed, NULL);
  char expected = 'a', c;
  for (;;) {
    assert(epoll_wait(set, &event, 1, -1) == 1);
    assert(event.data.fd == ends[0]);
    if (read(ends[0], &c, 1) == 0) break;
    assert(c == expected++);
  }
  assert(expected == 'd');
  pthread_join(feeder, NULL);
  puts("ok");
}
