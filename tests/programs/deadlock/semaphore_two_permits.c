// Each thread needs both permits and takes them one by one: each may get one and wait for ever.
//
// expect: deadlock
// within: random, 100 runs
// bug: work
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static sem_t permits;

static void* work(void* unused) {
  (void)unused;
  sem_wait(&permits);
  sem_wait(&permits);
  sem_post(&permits);
  sem_post(&permits);
  return NULL;
}

int main(void) {
  sem_init(&permits, 0, 2);
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  puts("ok");
}
