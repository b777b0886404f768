// The consumer does not look again after the wake-up: another one may have taken the item.
//
// expect: assert
// within: random, 100 runs
// bug: consume, produce
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int items;

static void* consume(void* unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  if (items == 0) pthread_cond_wait(&changed, &lock);
  assert(items > 0);
  items--;
  pthread_mutex_unlock(&lock);
  return NULL;
}

static void* produce(void* unused) {
  (void)unused;
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock(&lock);
    items++;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
  }
  return NULL;
}

int main(void) {
  pthread_t consumers[2], producer;
  for (int i = 0; i < 2; i++) pthread_create(&consumers[i], NULL, consume, NULL);
  pthread_create(&producer, NULL, produce, NULL);
  for (int i = 0; i < 2; i++) pthread_join(consumers[i], NULL);
  pthread_join(producer, NULL);
  puts("ok");
}
