// A poll loop with timeouts takes what another thread puts into a pipe, whatever the pace.
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
  for (char c = 'a'; c <= 'd'; c++) {
    assert(write(ends[1], &c, 1) == 1);
    usleep(3000);
  }
  close(ends[1]);
  return NULL;
}

int main(void) {
  assert(pipe(ends) == 0);
  pthread_t feeder;
  pthread_create(&feeder, NULL, feed, NULL);
  char expected = 'a';
  for (;;) {
    struct pollfd wish = {.fd = ends[0], .events = POLLIN};
    int ready = poll(&wish, 1, 2);
    assert(ready == 0 || ready == 1);
    if (ready == 0) continue;
    assert(wish.revents & (POLLIN | POLLHUP));
    char c;
    ssize_t got = read(ends[0], &c, 1);
    if (got == 0) break;
    assert(got == 1 && c == expected++);
  }
  assert(expected == 'e');
  pthread_join(feeder, NULL);
  puts("ok");
}
