// The value of a semaphore goes down by wait and up by post; trywait refuses at zero.
//
// expect: passed
// within: random, 50 runs
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static sem_t items;

static void* post_two(void* unused) {
  (void)unused;
  sem_post(&items);
  sem_post(&items);
  return NULL;
}

int main(void) {
  int value;
  sem_init(&items, 0, 1);
  assert(sem_trywait(&items) == 0);
  assert(sem_trywait(&items) == -1 && errno == EAGAIN);

  pthread_t thread;
  pthread_create(&thread, NULL, post_two, NULL);
  sem_wait(&items);
  pthread_join(thread, NULL);

  assert(sem_getvalue(&items, &value) == 0 && value == 1);
  assert(sem_trywait(&items) == 0);
  sem_getvalue(&items, &value);
  assert(value == 0);
  sem_destroy(&items);
  puts("ok");
}
