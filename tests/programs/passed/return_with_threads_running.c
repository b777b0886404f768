// Main returns while a detached thread still ticks.
//
// expect: passed
// within: random, 50 runs
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <unistd.h>

static sem_t ticks;

static void* tick(void* unused) {
  (void)unused;
  for (;;) {
    sem_post(&ticks);
    usleep(1000);
  }
  return NULL;
}

int main(void) {
  sem_init(&ticks, 0, 0);
  pthread_t thread;
  pthread_create(&thread, NULL, tick, NULL);
  pthread_detach(thread);
  sem_wait(&ticks);
  sem_wait(&ticks);
  puts("ok");
}
