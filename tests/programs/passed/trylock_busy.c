// trylock fails while main holds the mutex and works once main let it go.
//
// expect: passed
// within: random, 50 runs
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t tried, released;

static void* try_twice(void* unused) {
  (void)unused;
  assert(pthread_mutex_trylock(&lock) == EBUSY);
  sem_post(&tried);
  sem_wait(&released);
  assert(pthread_mutex_trylock(&lock) == 0);
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  sem_init(&tried, 0, 0);
  sem_init(&released, 0, 0);
  pthread_mutex_lock(&lock);
  pthread_t thread;
  pthread_create(&thread, NULL, try_twice, NULL);

  sem_wait(&tried);
  pthread_mutex_unlock(&lock);
  sem_post(&released);

  pthread_join(thread, NULL);
  puts("ok");
}
