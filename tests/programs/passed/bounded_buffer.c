// A buffer of two slots with two producers and two consumers; nothing is lost or doubled.
//
// expect: passed
// within: random, 50 runs
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

enum { kSlots = 2, kItems = 3 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static pthread_cond_t emptied = PTHREAD_COND_INITIALIZER;
static int slots[kSlots];
static int used;
static int sum;

static void* produce(void* unused) {
  (void)unused;
  for (int item = 1; item <= kItems; item++) {
    pthread_mutex_lock(&lock);
    while (used == kSlots) pthread_cond_wait(&emptied, &lock);
    slots[used++] = item;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&lock);
  }
  return NULL;
}

static void* consume(void* unused) {
  (void)unused;
  for (int i = 0; i < kItems; i++) {
    pthread_mutex_lock(&lock);
    while (used == 0) pthread_cond_wait(&filled, &lock);
    sum += slots[--used];
    pthread_cond_signal(&emptied);
    pthread_mutex_unlock(&lock);
  }
  return NULL;
}

int main(void) {
  pthread_t producers[2], consumers[2];
  for (int i = 0; i < 2; i++) pthread_create(&producers[i], NULL, produce, NULL);
  for (int i = 0; i < 2; i++) pthread_create(&consumers[i], NULL, consume, NULL);
  for (int i = 0; i < 2; i++) pthread_join(producers[i], NULL);
  for (int i = 0; i < 2; i++) pthread_join(consumers[i], NULL);
  assert(sum == 2 * (1 + 2 + 3));
  puts("ok");
}
