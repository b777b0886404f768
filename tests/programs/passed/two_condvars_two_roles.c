// One slot, one condition variable per role: each signal reaches somebody who can use it.
//
// expect: passed
// within: random, 50 runs
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static pthread_cond_t emptied = PTHREAD_COND_INITIALIZER;
static bool full;

static void put(void) {
  pthread_mutex_lock(&lock);
  while (full) pthread_cond_wait(&emptied, &lock);
  full = true;
  pthread_cond_signal(&filled);
  pthread_mutex_unlock(&lock);
}

static void take(void) {
  pthread_mutex_lock(&lock);
  while (!full) pthread_cond_wait(&filled, &lock);
  full = false;
  pthread_cond_signal(&emptied);
  pthread_mutex_unlock(&lock);
}

static void* consume(void* unused) {
  (void)unused;
  for (int i = 0; i < 2; i++) take();
  return NULL;
}

int main(void) {
  pthread_t consumers[2];
  for (int i = 0; i < 2; i++) pthread_create(&consumers[i], NULL, consume, NULL);
  for (int i = 0; i < 4; i++) put();
  for (int i = 0; i < 2; i++) pthread_join(consumers[i], NULL);
  assert(!full);
  puts("ok");
}
