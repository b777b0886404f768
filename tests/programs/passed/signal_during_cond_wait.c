// A handler that runs in the middle of pthread_cond_wait does not end the wait.
//
// expect: passed
// within: random, 40 runs
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool ready;
static volatile sig_atomic_t handled;

static void note(int signal) {
  (void)signal;
  handled = 1;
}

static void* wait_until_ready(void* unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  while (!ready) assert(pthread_cond_wait(&changed, &lock) == 0);
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  struct sigaction action = {.sa_handler = note};
  assert(sigaction(SIGUSR1, &action, NULL) == 0);
  pthread_t waiter;
  pthread_create(&waiter, NULL, wait_until_ready, NULL);
  assert(pthread_kill(waiter, SIGUSR1) == 0);
  pthread_mutex_lock(&lock);
  ready = true;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);
  pthread_join(waiter, NULL);
  assert(handled);
  puts("ok");
}
