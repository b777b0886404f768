// One write() of more than a pipe holds waits for the reader and writes everything.
//
// expect: passed
// within: random, 30 runs
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

enum { kBytes = 150 * 1000 };

static int ends[2];
static unsigned char sent[kBytes], received[kBytes];

static void* open_pipe(void* unused) {
  (void)unused;
  assert(pipe(ends) == 0);
  return NULL;
}

static void* write_once(void* unused) {
  (void)unused;
  assert(write(ends[1], sent, kBytes) == kBytes);
  close(ends[1]);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, open_pipe, NULL);
  pthread_join(thread, NULL);
  for (int i = 0; i < kBytes; i++) sent[i] = (unsigned char)(i * 7);
  pthread_create(&thread, NULL, write_once, NULL);
  int filled = 0;
  for (;;) {
    ssize_t got = read(ends[0], received + filled, sizeof(received) - (size_t)filled);
    assert(got >= 0);
    if (got == 0) break;
    filled += (int)got;
  }
  assert(filled == kBytes);
  for (int i = 0; i < kBytes; i++) assert(received[i] == (unsigned char)(i * 7));
  pthread_join(thread, NULL);
  puts("ok");
}
