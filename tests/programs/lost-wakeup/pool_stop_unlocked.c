// The pool is stopped without its lock: the worker has just seen that it need not stop, and
// goes to sleep after the broadcast.
//
// expect: lost-wakeup
// within: random, 300 runs
// bug: work, stop_pool, main
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static atomic_int stopping;

static void* work(void* unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  while (!stopping) pthread_cond_wait(&changed, &lock);
  pthread_mutex_unlock(&lock);
  return NULL;
}

static void stop_pool(void) {
  stopping = 1;
  pthread_cond_broadcast(&changed);
}

int main(void) {
  pthread_t workers[3];
  for (int i = 0; i < 3; i++) pthread_create(&workers[i], NULL, work, NULL);
  stop_pool();
  for (int i = 0; i < 3; i++) pthread_join(workers[i], NULL);
  puts("ok");
}
