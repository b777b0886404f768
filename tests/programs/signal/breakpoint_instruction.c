// A breakpoint instruction that no debugger waits for ends the program (SIGTRAP), also where the
// program blocks the signal.
//
// expect: signal
// within: random, 20 runs
// bug: check
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int value;

static void* change(void* unused) {
  pthread_mutex_lock(&lock);
  value = 1;
  pthread_mutex_unlock(&lock);
  return unused;
}

static void check(void) {
  if (value == 0) __asm__ volatile("int3");
}

int main(void) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGTRAP);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  pthread_t thread;
  pthread_create(&thread, NULL, change, NULL);
  pthread_mutex_lock(&lock);
  check();
  pthread_mutex_unlock(&lock);
  pthread_join(thread, NULL);
  puts("ok");
}
