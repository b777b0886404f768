// Producer and consumers wait on one condition variable and wake one waiter each: the signal
// meant for the producer may wake the other consumer, which goes back to sleep.
//
// expect: lost-wakeup
// within: random, 200 runs
// bug: put, take, main
#define _GNU_SOURCE
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool full;

static void put(void) {
  pthread_mutex_lock(&lock);
  while (full) pthread_cond_wait(&changed, &lock);
  full = true;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);
}

static void take(void) {
  pthread_mutex_lock(&lock);
  while (!full) pthread_cond_wait(&changed, &lock);
  full = false;
  pthread_cond_signal(&changed);
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
  puts("ok");
}
