// select() over two pipes that two threads feed; every byte arrives in the order of its pipe.
//
// expect: passed
// within: random, 40 runs
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/select.h>
#include <unistd.h>

static int pipes[2][2];

static void* feed(void* argument) {
  int end = *(int*)argument;
  for (char c = 0; c < 3; c++) assert(write(end, &c, 1) == 1);
  close(end);
  return NULL;
}

int main(void) {
  pthread_t feeders[2];
  for (int i = 0; i < 2; i++) {
    assert(pipe(pipes[i]) == 0);
    pthread_create(&feeders[i], NULL, feed, &pipes[i][1]);
  }
  char expected[2] = {0, 0};
  int open = 2, ended[2] = {0, 0};
  while (open > 0) {
    fd_set wanted;
    FD_ZERO(&wanted);
    int highest = 0;
    for (int i = 0; i < 2; i++) {
      if (ended[i]) continue;
      FD_SET(pipes[i][0], &wanted);
      if (pipes[i][0] > highest) highest = pipes[i][0];
    }
    assert(select(highest + 1, &wanted, NULL, NULL, NULL) > 0);
    for (int i = 0; i < 2; i++) {
      char c;
      if (ended[i] || !FD_ISSET(pipes[i][0], &wanted)) continue;
      if (read(pipes[i][0], &c, 1) == 1) {
        assert(c == expected[i]++);
      } else {
        ended[i] = 1;
        open--;
      }
    }
  }
  assert(expected[0] == 3 && expected[1] == 3);
  for (int i = 0; i < 2; i++) pthread_join(feeders[i], NULL);
  puts("ok");
}
