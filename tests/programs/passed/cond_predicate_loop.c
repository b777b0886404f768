// The waiter looks at the predicate under the lock, in a loop: no order loses the wake-up.
//
// expect: passed
// within: random, 50 runs
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
  while (items == 0) pthread_cond_wait(&changed, &lock);
  items--;
  assert(items >= 0);
  pthread_mutex_unlock(&lock);
  return NULL;
}

static void* produce(void* unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  items++;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t consumers[2], producers[2];
  for (int i = 0; i < 2; i++) pthread_create(&consumers[i], NULL, consume, NULL);
  for (int i = 0; i < 2; i++) pthread_create(&producers[i], NULL, produce, NULL);
  for (int i = 0; i < 2; i++) pthread_join(consumers[i], NULL);
  for (int i = 0; i < 2; i++) pthread_join(producers[i], NULL);
  assert(items == 0);
  puts("ok");
}
