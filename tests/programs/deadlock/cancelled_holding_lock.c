// A thread is cancelled in a sleep while it holds a mutex, and has no clean-up handler.
//
// expect: deadlock
// within: random, 100 runs
// bug: work, main
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void* work(void* unused) {
  pthread_mutex_lock(&lock);
  usleep(1000);
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  pthread_cancel(thread);
  pthread_join(thread, NULL);
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  puts("ok");
}
