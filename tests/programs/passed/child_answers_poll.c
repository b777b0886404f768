// Two children answer on two pipes while a loop polls both with a short timeout: which was ready,
// and how often none was, is in the schedule.
//
// expect: passed
// within: random, 10 runs
#define _GNU_SOURCE
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static void* beside(void* unused) {
  for (int i = 0; i < 3; i++) usleep(100);
  return unused;
}

int main(void) {
  pthread_t thread;
  assert(pthread_create(&thread, NULL, beside, NULL) == 0);
  struct pollfd wishes[2];
  for (int i = 0; i < 2; i++) {
    int ends[2];
    assert(pipe(ends) == 0);
    if (fork() == 0) {
      for (int j = 0; j < 3; j++) {
        usleep(1500);
        if (write(ends[1], "y", 1) != 1) _exit(1);
      }
      _exit(0);
    }
    close(ends[1]);
    wishes[i] = (struct pollfd){.fd = ends[0], .events = POLLIN};
  }
  int bytes = 0;
  int open = 2;
  int idle = 0;
  while (open > 0) {
    const int ready = poll(wishes, 2, 1);
    if (ready == 0) {
      idle++;
      continue;
    }
    for (int i = 0; i < 2; i++) {
      char byte;
      if (!wishes[i].revents) continue;
      if (read(wishes[i].fd, &byte, 1) == 1) {
        bytes++;
        continue;
      }
      wishes[i].fd = -1;
      open--;
    }
  }
  assert(bytes == 6);
  while (wait(NULL) > 0) {
  }
  pthread_join(thread, NULL);
}
