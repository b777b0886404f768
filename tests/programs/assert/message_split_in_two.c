// Two writers send a header and a body with two writes each; they get mixed up.
//
// expect: assert
// within: random, 100 runs
// bug: send_message, main
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static int ends[2];

static void* send_message(void* argument) {
  assert(write(ends[1], argument, 1) == 1);
  assert(write(ends[1], argument, 1) == 1);
  return NULL;
}

int main(void) {
  assert(pipe(ends) == 0);
  pthread_t writers[2];
  pthread_create(&writers[0], NULL, send_message, "a");
  pthread_create(&writers[1], NULL, send_message, "b");
  for (int i = 0; i < 2; i++) {
    char header, body;
    assert(read(ends[0], &header, 1) == 1);
    assert(read(ends[0], &body, 1) == 1);
    assert(header == body);
  }
  for (int i = 0; i < 2; i++) pthread_join(writers[i], NULL);
  puts("ok");
}
