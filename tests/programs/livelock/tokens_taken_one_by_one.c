// Two threads need two tokens each, of which there are two; each keeps one and tries for ever.
//
// expect: livelock
// within: random, 100 runs
// bug: take_one, take_two
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdio.h>

static sem_t tokens;

static void take_one(void) {
  while (sem_trywait(&tokens) != 0) sched_yield();
}

static void* take_two(void* unused) {
  (void)unused;
  take_one();
  take_one();
  sem_post(&tokens);
  sem_post(&tokens);
  return NULL;
}

int main(void) {
  sem_init(&tokens, 0, 2);
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, take_two, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  puts("ok");
}
