// A forked child writes into a pipe that a thread of its parent reads: the other end is outside.
//
// expect: passed
// within: random, 20 runs
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int ends[2];

static void* read_answer(void* unused) {
  (void)unused;
  char text[16] = "";
  size_t filled = 0;
  ssize_t got;
  while ((got = read(ends[0], text + filled, sizeof(text) - filled)) > 0) filled += (size_t)got;
  assert(got == 0 && strcmp(text, "hello") == 0);
  return NULL;
}

int main(void) {
  assert(pipe(ends) == 0);
  pthread_t reader;
  pthread_create(&reader, NULL, read_answer, NULL);
  pid_t child = fork();
  if (child == 0) {
    usleep(5000);
    _exit(write(ends[1], "hello", 5) == 5 ? 0 : 1);
  }
  close(ends[1]);
  int status = -1;
  assert(waitpid(child, &status, 0) == child);
  assert(status == 0);
  pthread_join(reader, NULL);
  puts("ok");
}
