// pthread_once: the initialiser is interrupted half-way, and who comes second waits for its end.
//
// expect: passed
// within: random, 50 runs
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int begun, ended;

static void initialise(void) {
  pthread_mutex_lock(&lock);
  begun++;
  pthread_mutex_unlock(&lock);
  sched_yield();
  pthread_mutex_lock(&lock);
  ended++;
  pthread_mutex_unlock(&lock);
}

static void* use(void* unused) {
  (void)unused;
  assert(pthread_once(&once, initialise) == 0);
  assert(begun == 1 && ended == 1);
  return NULL;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, use, NULL);
  use(NULL);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  puts("ok");
}
