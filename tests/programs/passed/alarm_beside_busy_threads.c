// A thread locks and unlocks until an alarm stops it.
//
// expect: passed
// within: random, 50 runs
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int stop;

static void ring(int signal) {
  (void)signal;
  stop = 1;
}

static void* work(void* unused) {
  (void)unused;
  while (!stop) {
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
  }
  return NULL;
}

int main(void) {
  pthread_t thread;
  signal(SIGALRM, ring);
  alarm(2);
  pthread_create(&thread, NULL, work, NULL);
  pthread_join(thread, NULL);
  puts("ok");
}
