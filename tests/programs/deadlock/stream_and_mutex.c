// One thread logs while it holds a mutex, the other takes the mutex while it holds the log.
//
// expect: deadlock
// within: random, 100 runs
// bug: log_locked, lock_logged
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static FILE* stream;

static void* log_locked(void* unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  fprintf(stream, "%d\n", 1);
  pthread_mutex_unlock(&lock);
  return NULL;
}

static void* lock_logged(void* unused) {
  (void)unused;
  flockfile(stream);
  pthread_mutex_lock(&lock);
  fputs("2\n", stream);
  pthread_mutex_unlock(&lock);
  funlockfile(stream);
  return NULL;
}

int main(void) {
  stream = fopen("/dev/null", "w");
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, log_locked, NULL);
  pthread_create(&threads[1], NULL, lock_logged, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  puts("ok");
}
