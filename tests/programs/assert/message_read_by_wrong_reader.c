// Two readers share a pipe, and each believes that the first message is its own.
//
// expect: assert
// within: random, 100 runs
// bug: take_mine, main
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static int ends[2];
static const int numbers[2] = {0, 1};

static void* take_mine(void* argument) {
  int mine = *(const int*)argument, message = -1;
  assert(read(ends[0], &message, sizeof(message)) == sizeof(message));
  assert(message == mine);
  return NULL;
}

int main(void) {
  assert(pipe(ends) == 0);
  pthread_t readers[2];
  for (int i = 0; i < 2; i++) pthread_create(&readers[i], NULL, take_mine, (void*)&numbers[i]);
  for (int i = 0; i < 2; i++) assert(write(ends[1], &i, sizeof(i)) == sizeof(i));
  for (int i = 0; i < 2; i++) pthread_join(readers[i], NULL);
  puts("ok");
}
