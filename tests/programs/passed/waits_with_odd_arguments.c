// select, poll and epoll with odd arguments, on a small stack.
//
// expect: passed
// within: random, 20 runs
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>

static int pipes[2];

static void try_select(void) {
  fd_set set, none;
  FD_ZERO(&set);
  FD_ZERO(&none);
  struct timeval at_once = {0, 0}, negative = {-1, 0}, soon = {0, 2000};
  assert(select(-1, &set, NULL, NULL, &at_once) == -1 && errno == EINVAL);
  assert(select(1, &none, NULL, NULL, &negative) == -1 && errno == EINVAL);
  assert(select(0, NULL, NULL, NULL, &soon) == 0 && soon.tv_sec == 0 && soon.tv_usec == 0);
  const struct timespec bad = {0, 1000000000};
  assert(pselect(0, NULL, NULL, NULL, &bad, NULL) == -1 && errno == EINVAL);
  FD_SET(pipes[0], &set);
  soon = (struct timeval){0, 2000};
  assert(select(pipes[0] + 1, &set, NULL, NULL, &soon) == 0 && !FD_ISSET(pipes[0], &set));
  FD_SET(pipes[1], &set);
  assert(select(pipes[1] + 1, NULL, &set, NULL, NULL) == 1 && FD_ISSET(pipes[1], &set));
  // More numbers than an fd_set has.
  unsigned long* many = calloc(4, sizeof(fd_set));
  assert(dup2(pipes[1], 2000) == 2000);
  many[2000 / 64] |= 1ul << (2000 % 64);
  assert(select(2001, NULL, (fd_set*)many, NULL, NULL) == 1 && many[2000 / 64] != 0);
  assert(close(2000) == 0);
  assert(select(2001, NULL, (fd_set*)many, NULL, NULL) == -1 && errno == EBADF);
  free(many);
}

static void try_poll(void) {
  struct pollfd wishes[2] = {{-1, POLLIN, 7}, {pipes[1], POLLOUT, 0}};
  assert(poll(wishes, 2, -1) == 1 && wishes[0].revents == 0 && wishes[1].revents == POLLOUT);
  assert(poll(wishes, 1, 1) == 0);
  assert(poll(NULL, 0, 1) == 0);
  volatile nfds_t too_many = UINT_MAX;
  assert(poll(wishes, too_many, 0) == -1 && errno == EINVAL);
  const struct timespec bad = {0, -1};
  assert(ppoll(wishes, 2, &bad, NULL) == -1 && errno == EINVAL);
  assert(ppoll(wishes, 2, NULL, NULL) == 1);
}

static void try_epoll(void) {
  const int set = epoll_create1(0);
  struct epoll_event event = {.events = EPOLLIN | EPOLLET}, got;
  assert(epoll_wait(set, &got, 0, 0) == -1 && errno == EINVAL);
  assert(epoll_wait(pipes[0], &got, 1, 1000) == -1 && errno == EINVAL);
  assert(epoll_wait(-1, &got, 1, 1000) == -1 && errno == EBADF);
  assert(epoll_ctl(set, EPOLL_CTL_ADD, pipes[0], &event) == 0);
  const struct timespec soon = {0, 1000000};
  assert(epoll_pwait2(set, &got, 1, &soon, NULL) == 0);
  assert(write(pipes[1], "x", 1) == 1);
  assert(epoll_pwait2(set, &got, 1, NULL, NULL) == 1 && got.events == EPOLLIN);
  assert(epoll_pwait2(set, &got, 1, &soon, NULL) == 0);
  close(set);
}

static void* try_all(void* unused) {
  try_select();
  try_poll();
  try_epoll();
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_attr_t small;
  assert(pthread_attr_init(&small) == 0 && pthread_attr_setstacksize(&small, 16384) == 0);
  assert(pipe(pipes) == 0);
  assert(pthread_create(&thread, &small, try_all, NULL) == 0);
  assert(pthread_join(thread, NULL) == 0);
  return 0;
}
