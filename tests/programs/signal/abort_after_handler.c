// abort() ends the program although its signal is blocked, and its handler returns.
//
// expect: signal
// within: random, 20 runs
// bug: check
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int value;
static volatile sig_atomic_t handled;

static void note(int signal) {
  (void)signal;
  handled = 1;
}

static void* change(void* unused) {
  pthread_mutex_lock(&lock);
  value = 1;
  pthread_mutex_unlock(&lock);
  return unused;
}

static void check(void) {
  if (value == 0) abort();
}

int main(void) {
  signal(SIGABRT, note);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGABRT);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  pthread_t thread;
  pthread_create(&thread, NULL, change, NULL);
  pthread_mutex_lock(&lock);
  check();
  pthread_mutex_unlock(&lock);
  pthread_join(thread, NULL);
  puts("ok");
}
