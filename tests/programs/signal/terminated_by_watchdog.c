// A watchdog sends SIGTERM to the process if the work is not done when its time is over.
//
// expect: signal
// within: random, 100 runs
// bug: watch, main
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool done;

static void* watch(void* unused) {
  (void)unused;
  usleep(10 * 1000);
  pthread_mutex_lock(&lock);
  bool in_time = done;
  pthread_mutex_unlock(&lock);
  if (!in_time) kill(getpid(), SIGTERM);
  return NULL;
}

int main(void) {
  pthread_t watchdog;
  pthread_create(&watchdog, NULL, watch, NULL);
  for (int i = 1; i <= 8; i++) {
    pthread_mutex_lock(&lock);
    done = i == 8;
    pthread_mutex_unlock(&lock);
  }
  pthread_join(watchdog, NULL);
  puts("ok");
}
