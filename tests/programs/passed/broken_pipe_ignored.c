// With SIGPIPE ignored, a write whose reader is gone fails with EPIPE; with a handler, it also
// runs.
//
// expect: passed
// within: random, 40 runs
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static int ends[2];
static volatile sig_atomic_t handled;

static void note(int signal) { handled = signal; }

static void* read_one(void* unused) {
  (void)unused;
  char c;
  assert(read(ends[0], &c, 1) == 1);
  assert(close(ends[0]) == 0);
  return NULL;
}

static void* write_until_broken(void* unused) {
  (void)unused;
  for (;;) {
    errno = 0;
    if (write(ends[1], "x", 1) == 1) {
      usleep(1000);
      continue;
    }
    assert(errno == EPIPE);
    return NULL;
  }
}

int main(void) {
  signal(SIGPIPE, SIG_IGN);
  assert(pipe(ends) == 0);
  pthread_t reader, writer;
  pthread_create(&writer, NULL, write_until_broken, NULL);
  pthread_create(&reader, NULL, read_one, NULL);
  pthread_join(reader, NULL);
  pthread_join(writer, NULL);
  assert(!handled);
  signal(SIGPIPE, note);
  errno = 0;
  assert(write(ends[1], "x", 1) == -1 && errno == EPIPE);
  assert(handled == SIGPIPE);
  puts("ok");
}
