// The consumer waits inside the pool's lock for an item; whoever brings one needs that lock.
//
// expect: lost-wakeup
// within: random, 100 runs
// bug: take, put, main
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t pool = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t queue = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int items;

static void take(void) {
  pthread_mutex_lock(&pool);
  pthread_mutex_lock(&queue);
  while (items == 0) pthread_cond_wait(&filled, &queue);
  items--;
  pthread_mutex_unlock(&queue);
  pthread_mutex_unlock(&pool);
}

static void put(void) {
  pthread_mutex_lock(&pool);
  pthread_mutex_lock(&queue);
  items++;
  pthread_cond_signal(&filled);
  pthread_mutex_unlock(&queue);
  pthread_mutex_unlock(&pool);
}

static void* consume(void* unused) {
  (void)unused;
  take();
  return NULL;
}

int main(void) {
  pthread_t consumer;
  pthread_create(&consumer, NULL, consume, NULL);
  put();
  pthread_join(consumer, NULL);
  puts("ok");
}
