// A child writes bytes one by one and a thread reads as many as there are: the portions are in the
// schedule.
//
// expect: passed
// within: random, 10 runs
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

enum { kBytes = 40 };
static int from_child[2];

static void* read_all(void* unused) {
  char bytes[7];
  ssize_t total = 0;
  for (ssize_t size; (size = read(from_child[0], bytes, sizeof bytes)) > 0; total += size) {
    for (ssize_t i = 0; i < size; i++) usleep(1);  // a portion more is a step more
  }
  assert(total == kBytes);
  return unused;
}

int main(void) {
  assert(pipe(from_child) == 0);
  pthread_t thread;
  const pid_t child = fork();
  if (child == 0) {
    for (int i = 0; i < kBytes; i++) {
      if (write(from_child[1], "x", 1) != 1) _exit(1);
      if (i % 5 == 0) usleep(300);
    }
    _exit(0);
  }
  close(from_child[1]);
  assert(pthread_create(&thread, NULL, read_all, NULL) == 0);
  pthread_join(thread, NULL);
  int status = 0;
  assert(waitpid(child, &status, 0) == child && status == 0);
}
