// A child that has the same open pipe never sees it not blocking, whatever the parent reads.
//
// expect: passed
// within: random, 5 runs
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/wait.h>
#include <unistd.h>

enum { kBytes = 20000 };

static int to_parent[2], stop[2];

static void* count(void* unused) {
  for (int i = 0; i < 10; i++) usleep(10);
  return unused;
}

static int look(int counter) {
  static char bytes[kBytes];
  if (write(to_parent[1], bytes, kBytes) != kBytes) return 1;
  struct pollfd end = {stop[0], POLLIN, 0};
  while (poll(&end, 1, 0) == 0) {
    if (fcntl(to_parent[0], F_GETFL) & O_NONBLOCK) return 2;
    if (fcntl(counter, F_GETFL) & O_NONBLOCK) return 3;
  }
  return 0;
}

int main(void) {
  pthread_t thread;
  assert(pthread_create(&thread, NULL, count, NULL) == 0);
  assert(pipe(to_parent) == 0 && pipe(stop) == 0);
  const int counter = eventfd(0, 0);
  const pid_t child = fork();
  if (child == 0) _exit(look(counter));
  for (int i = 0; i < kBytes; i++) {
    char byte;
    assert(read(to_parent[0], &byte, 1) == 1);
    eventfd_t value = 0;
    assert(eventfd_write(counter, 1) == 0 && eventfd_read(counter, &value) == 0 && value == 1);
  }
  assert(write(stop[1], "s", 1) == 1);
  int status = -1;
  assert(waitpid(child, &status, 0) == child && status == 0);
  assert(pthread_join(thread, NULL) == 0);
  return 0;
}
