// Each thread holds its own lock and tries for the other's, politely yielding but never
// letting go.
//
// expect: livelock
// within: random, 100 runs
// bug: take_both, main
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdio.h>

static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void take_both(int first) {
  pthread_mutex_lock(&locks[first]);
  while (pthread_mutex_trylock(&locks[1 - first]) != 0) sched_yield();
  pthread_mutex_unlock(&locks[1 - first]);
  pthread_mutex_unlock(&locks[first]);
}

static void* work(void* unused) {
  (void)unused;
  take_both(1);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  take_both(0);
  pthread_join(thread, NULL);
  puts("ok");
}
