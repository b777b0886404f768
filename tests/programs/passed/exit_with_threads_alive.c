// A thread calls exit(0) while the others wait, yield or join: that ends the program.
//
// expect: passed
// within: random, 50 runs
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>

static sem_t never;

static void* wait_for_ever(void* unused) {
  (void)unused;
  for (;;) sem_wait(&never);
  return NULL;
}

static void* yield_for_ever(void* unused) {
  (void)unused;
  for (;;) sched_yield();
  return NULL;
}

static void* end_it_all(void* unused) {
  (void)unused;
  puts("ok");
  exit(0);
}

int main(void) {
  sem_init(&never, 0, 0);
  pthread_t waiter, yielder, ender;
  pthread_create(&waiter, NULL, wait_for_ever, NULL);
  pthread_create(&yielder, NULL, yield_for_ever, NULL);
  pthread_create(&ender, NULL, end_it_all, NULL);
  pthread_join(waiter, NULL);
}
