// Copies of a pipe's ends are the same pipe: closing the last one ends the reader, and a thread
// that waits for nobody is a reader that waits for ever.
//
// expect: passed
// within: random, 20 runs
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void* read_to_end(void* unused) {
  const int copy = dup(ends[0]);
  char byte;
  int count = 0;
  while (read(copy, &byte, 1) == 1) count++;
  assert(count == 3);
  return unused;
}

int main(void) {
  assert(pipe(ends) == 0);
  pthread_t thread;
  assert(pthread_create(&thread, NULL, read_to_end, NULL) == 0);
  const int second = dup2(ends[1], 50);
  const int third = fcntl(ends[1], F_DUPFD, 60);
  assert(second == 50 && third >= 60);
  assert(write(ends[1], "a", 1) == 1 && close(ends[1]) == 0);
  assert(write(second, "b", 1) == 1 && write(third, "c", 1) == 1);
  assert(close(third) == 0 && close(second) == 0);
  pthread_join(thread, NULL);
}
