// SO_RCVTIMEO and SO_SNDTIMEO end calls that wait: with EAGAIN, or with what was done by then.
//
// expect: passed
// within: random, 20 runs
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <netinet/in.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum { kMilliseconds = 40 };

static void set_timeouts(int descriptor) {
  const struct timeval length = {.tv_usec = kMilliseconds * 1000};
  assert(setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &length, sizeof length) == 0);
  assert(setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &length, sizeof length) == 0);
}

static long now(void) {
  struct timespec moment;
  clock_gettime(CLOCK_MONOTONIC, &moment);
  return moment.tv_sec * 1000 + moment.tv_nsec / 1000000;
}

static void expect_waited(long begun) { assert(now() - begun >= kMilliseconds - 5); }

static void* beside(void* unused) {
  for (int i = 0; i < 3; i++) usleep(1000);
  return unused;
}

int main(void) {
  pthread_t thread;
  assert(pthread_create(&thread, NULL, beside, NULL) == 0);
  int ends[2];
  assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  set_timeouts(ends[0]);
  char bytes[4096];

  long begun = now();
  assert(recv(ends[0], bytes, sizeof bytes, 0) == -1 && errno == EAGAIN);
  expect_waited(begun);
  begun = now();
  assert(read(ends[0], bytes, sizeof bytes) == -1 && errno == EAGAIN);
  expect_waited(begun);
  assert(write(ends[1], "abc", 3) == 3);
  begun = now();
  assert(recv(ends[0], bytes, 10, MSG_WAITALL) == 3);
  expect_waited(begun);

  // More than fits: part of it was written when the time was over, then nothing.
  static char much[2 * 1024 * 1024];
  const long written = write(ends[0], much, sizeof much);
  assert(written > 0 && written < (long)sizeof much);
  begun = now();
  struct iovec pieces[2] = {{much, 1000}, {much, 1000}};
  assert(writev(ends[0], pieces, 2) == -1 && errno == EAGAIN);
  expect_waited(begun);

  const int listener = socket(AF_INET, SOCK_STREAM, 0);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
  assert(bind(listener, (struct sockaddr*)&address, sizeof address) == 0);
  assert(listen(listener, 1) == 0);
  set_timeouts(listener);
  begun = now();
  assert(accept(listener, NULL, NULL) == -1 && errno == EAGAIN);
  expect_waited(begun);
  // What cannot be waited for is refused at once.
  const int datagrams = socket(AF_INET, SOCK_DGRAM, 0);
  assert(accept(datagrams, NULL, NULL) == -1 && errno == EOPNOTSUPP);
  assert(pthread_join(thread, NULL) == 0);
  return 0;
}
