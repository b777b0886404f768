// A thread that waits in system() is cancelled: the command is ended and collected, and what its
// keys do is as before.
//
// expect: passed
// within: random, 20 runs
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

static void note(int signal) { (void)signal; }

static void* run_for_long(void* unused) {
  (void)unused;
  system("exec sleep 1000");
  return NULL;
}

int main(void) {
  assert(signal(SIGINT, note) != SIG_ERR);
  pthread_t runner;
  pthread_create(&runner, NULL, run_for_long, NULL);
  assert(pthread_cancel(runner) == 0);
  void* result = NULL;
  assert(pthread_join(runner, &result) == 0);
  assert(result == PTHREAD_CANCELED);
  assert(waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD);
  assert(signal(SIGINT, SIG_DFL) == note);
  assert(system("exit 3") == 3 << 8);
  puts("ok");
}
