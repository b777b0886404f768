// Three threads, three locks: each takes its own and then its neighbour's.
//
// expect: deadlock
// within: random, 100 runs
// bug: work
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

static pthread_mutex_t locks[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                   PTHREAD_MUTEX_INITIALIZER};

static void* work(void* number) {
  const intptr_t me = (intptr_t)number;
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock(&locks[me]);
    pthread_mutex_lock(&locks[(me + 1) % 3]);
    pthread_mutex_unlock(&locks[(me + 1) % 3]);
    pthread_mutex_unlock(&locks[me]);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[3];
  for (intptr_t i = 0; i < 3; i++) pthread_create(&threads[i], NULL, work, (void*)i);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  puts("ok");
}
