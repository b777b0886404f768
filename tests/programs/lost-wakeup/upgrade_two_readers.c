// A hand-made readers' lock whose readers may upgrade once they are the only one left: two that
// upgrade wait for each other.
//
// expect: lost-wakeup
// within: random, 100 runs
// bug: begin_reading, upgrade, read_and_write
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t fewer = PTHREAD_COND_INITIALIZER;
static int readers;
static int value;

static void begin_reading(void) {
  pthread_mutex_lock(&lock);
  readers++;
  pthread_mutex_unlock(&lock);
}

static void upgrade(void) {
  pthread_mutex_lock(&lock);
  while (readers > 1) pthread_cond_wait(&fewer, &lock);
  value++;
  readers--;
  pthread_cond_broadcast(&fewer);
  pthread_mutex_unlock(&lock);
}

static void* read_and_write(void* unused) {
  (void)unused;
  begin_reading();
  upgrade();
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, read_and_write, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  puts("ok");
}
