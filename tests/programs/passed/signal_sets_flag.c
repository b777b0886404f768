// A handler sets a flag in the thread that pthread_kill names; it is noticed wherever the thread
// is.
//
// expect: passed
// within: random, 40 runs
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>

static volatile sig_atomic_t flag;
static pthread_t expected;
static atomic_int wrong_thread;

static void set_flag(int signal) {
  assert(signal == SIGUSR1);
  if (!pthread_equal(pthread_self(), expected)) wrong_thread = 1;
  flag = 1;
}

static void* wait_for_flag(void* unused) {
  (void)unused;
  while (!flag) sched_yield();
  return NULL;
}

int main(void) {
  struct sigaction action = {.sa_handler = set_flag};
  assert(sigaction(SIGUSR1, &action, NULL) == 0);
  pthread_create(&expected, NULL, wait_for_flag, NULL);
  assert(pthread_kill(expected, 0) == 0);
  assert(pthread_kill(expected, SIGUSR1) == 0);
  pthread_join(expected, NULL);
  assert(!wrong_thread);
  puts("ok");
}
