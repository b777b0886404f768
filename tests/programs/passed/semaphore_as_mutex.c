// A semaphore of one used as a mutex: one thread at a time is inside.
//
// expect: passed
// within: random, 50 runs
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdio.h>

static sem_t permit;
static int inside;
static int done;

static void* work(void* unused) {
  (void)unused;
  sem_wait(&permit);
  inside++;
  sched_yield();
  assert(inside == 1);
  inside--;
  done++;
  sem_post(&permit);
  return NULL;
}

int main(void) {
  sem_init(&permit, 0, 1);
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  assert(done == 3);
  puts("ok");
}
