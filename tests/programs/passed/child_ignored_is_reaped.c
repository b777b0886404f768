// With SIGCHLD ignored, children leave nothing to wait for.
//
// expect: passed
// within: random, 20 runs
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static void* work(void* unused) {
  (void)unused;
  usleep(1000);
  return NULL;
}

int main(void) {
  signal(SIGCHLD, SIG_IGN);
  pthread_t worker;
  pthread_create(&worker, NULL, work, NULL);
  pid_t child = fork();
  if (child == 0) _exit(3);
  assert(waitpid(child, NULL, 0) == -1 && errno == ECHILD);
  pthread_join(worker, NULL);
  puts("ok");
}
