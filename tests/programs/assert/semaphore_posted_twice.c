// The first thread hands the permit on early and then posts it again on its way out: two
// threads get inside.
//
// expect: assert
// within: random, 100 runs
// bug: work
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdio.h>

static sem_t permit;
static bool handed_on;
static int inside;

static void* work(void* unused) {
  (void)unused;
  sem_wait(&permit);
  inside++;
  sched_yield();
  assert(inside == 1);
  inside--;
  if (!handed_on) {
    handed_on = true;
    sem_post(&permit);
  }
  sem_post(&permit);
  return NULL;
}

int main(void) {
  sem_init(&permit, 0, 1);
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  puts("ok");
}
