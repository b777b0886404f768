// Main takes the queue down without waiting for the worker that still uses it.
//
// expect: signal
// within: random, 100 runs
// bug: work, main
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>

struct queue {
  int items;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct queue* volatile queue;

static void* work(void* unused) {
  (void)unused;
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock(&lock);
    queue->items++;
    pthread_mutex_unlock(&lock);
  }
  return NULL;
}

int main(void) {
  static struct queue jobs;
  queue = &jobs;
  pthread_t worker;
  pthread_create(&worker, NULL, work, NULL);

  pthread_mutex_lock(&lock);
  queue = NULL;
  pthread_mutex_unlock(&lock);
  pthread_join(worker, NULL);
  puts("ok");
}
