// A reader that waits at an empty pipe sees its end when the last writer closes.
//
// expect: passed
// within: random, 40 runs
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static int ends[2];

static void* read_to_end(void* unused) {
  (void)unused;
  char c;
  assert(read(ends[0], &c, 1) == 0);
  return NULL;
}

int main(void) {
  assert(pipe(ends) == 0);
  pthread_t readers[2];
  for (int i = 0; i < 2; i++) pthread_create(&readers[i], NULL, read_to_end, NULL);
  assert(close(ends[1]) == 0);
  for (int i = 0; i < 2; i++) pthread_join(readers[i], NULL);
  puts("ok");
}
