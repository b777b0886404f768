// A detached thread reports by semaphore that it is done; nobody joins it.
//
// expect: passed
// within: random, 50 runs
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static sem_t done;
static int result;

static void* work(void* unused) {
  (void)unused;
  result = 42;
  sem_post(&done);
  return NULL;
}

int main(void) {
  sem_init(&done, 0, 0);
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  assert(pthread_detach(thread) == 0);

  sem_wait(&done);
  assert(result == 42);
  puts("ok");
}
