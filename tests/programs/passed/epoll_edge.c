// An edge-triggered epoll set tells once; the reader then reads until there is nothing left.
//
// expect: passed
// within: random, 40 runs
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <unistd.h>

static int ends[2];

static void* feed(void* unused) {
  (void)unused;
  for (int i = 0; i < 4; i++) assert(write(ends[1], "xy", 2) == 2);
  close(ends[1]);
  return NULL;
}

int main(void) {
  pthread_t feeder;
  assert(pipe2(ends, O_NONBLOCK) == 0);
  int set = epoll_create1(0);
  struct epoll_event event = {.events = EPOLLIN | EPOLLET, .data.fd = ends[0]};
  assert(epoll_ctl(set, EPOLL_CTL_ADD, ends[0], &event) == 0);
  assert(write(ends[1], "zz", 2) == 2);
  assert(epoll_wait(set, &event, 1, -1) == 1);
  assert(epoll_wait(set, &event, 1, 0) == 0);  // told already, though nobody has read
  pthread_create(&feeder, NULL, feed, NULL);
  int bytes = 0, open = 1;
  while (open) {
    assert(epoll_wait(set, &event, 1, -1) == 1);
    for (;;) {
      char buffer[3];
      ssize_t got = read(ends[0], buffer, sizeof(buffer));
      if (got == 0) open = 0;
      if (got < 0) assert(errno == EAGAIN);
      if (got <= 0) break;
      bytes += (int)got;
    }
  }
  assert(bytes == 10);
  pthread_join(feeder, NULL);
  puts("ok");
}
