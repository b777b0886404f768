// A buffer of one slot that waits with `if`: a woken thread trusts that nothing has changed
// since, but another one got there first.
//
// expect: assert
// within: random, 200 runs
// bug: put, take, main
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static pthread_cond_t emptied = PTHREAD_COND_INITIALIZER;
static int used;

static void put(void) {
  pthread_mutex_lock(&lock);
  if (used == 1) pthread_cond_wait(&emptied, &lock);
  assert(used == 0);
  used++;
  pthread_cond_broadcast(&filled);
  pthread_mutex_unlock(&lock);
}

static void take(void) {
  pthread_mutex_lock(&lock);
  if (used == 0) pthread_cond_wait(&filled, &lock);
  assert(used == 1);
  used--;
  pthread_cond_broadcast(&emptied);
  pthread_mutex_unlock(&lock);
}

static void* consume(void* unused) {
  (void)unused;
  take();
  return NULL;
}

int main(void) {
  pthread_t consumers[2];
  for (int i = 0; i < 2; i++) pthread_create(&consumers[i], NULL, consume, NULL);
  put();
  put();
  for (int i = 0; i < 2; i++) pthread_join(consumers[i], NULL);
  puts("ok");
}
