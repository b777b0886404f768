// The producer stops one item early when it sees that the queue was closed; the consumer waits for
// it at the pipe for ever.
//
// expect: deadlock
// within: random, 100 runs
// bug: produce, consume, main
#define _GNU_SOURCE
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

static int ends[2];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool closed;

static void* produce(void* unused) {
  (void)unused;
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock(&lock);
    bool stop = closed;
    pthread_mutex_unlock(&lock);
    if (stop) break;
    if (write(ends[1], "x", 1) != 1) return NULL;
  }
  return NULL;
}

static void* consume(void* unused) {
  (void)unused;
  char c;
  for (int i = 0; i < 2; i++) {
    if (read(ends[0], &c, 1) != 1) break;
  }
  return NULL;
}

int main(void) {
  if (pipe(ends) != 0) return 0;
  pthread_t producer, consumer;
  pthread_create(&producer, NULL, produce, NULL);
  pthread_create(&consumer, NULL, consume, NULL);
  pthread_mutex_lock(&lock);
  closed = true;
  pthread_mutex_unlock(&lock);
  pthread_join(producer, NULL);
  pthread_join(consumer, NULL);
  puts("ok");
}
