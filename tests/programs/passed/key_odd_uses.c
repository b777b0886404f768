// Thread-specific keys made in a thread, made while threads run, and deleted while they are set.
//
// expect: passed
// within: random, 50 runs
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t begun, made;
static pthread_key_t late, deleted;
static int destroyed, wrongly;

static void destroy(void* unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  destroyed++;
  pthread_mutex_unlock(&lock);
}

static void destroy_wrongly(void* unused) {
  (void)unused;
  wrongly++;
}

static void* work(void* unused) {
  pthread_key_t own;
  assert(pthread_key_create(&own, destroy) == 0);
  assert(pthread_setspecific(own, &own) == 0);
  assert(pthread_setspecific(deleted, &own) == 0);
  pthread_barrier_wait(&begun);
  pthread_barrier_wait(&made);
  assert(pthread_getspecific(late) == NULL);
  assert(pthread_setspecific(late, &late) == 0);
  assert(pthread_getspecific(own) == &own);
  return unused;
}

int main(void) {
  pthread_barrier_init(&begun, NULL, 3);
  pthread_barrier_init(&made, NULL, 3);
  pthread_key_create(&deleted, destroy_wrongly);
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, NULL);
  pthread_barrier_wait(&begun);
  assert(pthread_key_create(&late, destroy) == 0);
  assert(pthread_key_delete(deleted) == 0);
  pthread_barrier_wait(&made);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  assert(destroyed == 4);
  assert(wrongly == 0);
  puts("ok");
}
