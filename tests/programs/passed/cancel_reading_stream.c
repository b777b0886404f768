// A thread that is cancelled while it waits in fgets leaves the stream unlocked, and others read
// it.
//
// expect: passed
// within: random, 20 runs
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static FILE* in;
static int ends[2];

static void* read_line(void* unused) {
  char line[20];
  assert(!fgets(line, sizeof line, in));
  return unused;
}

int main(void) {
  pthread_t thread;
  assert(pipe(ends) == 0);
  in = fdopen(ends[0], "r");
  assert(in);
  assert(pthread_create(&thread, NULL, read_line, NULL) == 0);
  usleep(1000);
  assert(pthread_cancel(thread) == 0);
  void* result = NULL;
  assert(pthread_join(thread, &result) == 0 && result == PTHREAD_CANCELED);
  assert(write(ends[1], "line\n", 5) == 5);
  char line[20];
  assert(fgets(line, sizeof line, in) && strcmp(line, "line\n") == 0);
  assert(fclose(in) == 0 && close(ends[1]) == 0);
  return 0;
}
