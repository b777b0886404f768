// The callback is looked for in one critical section and called in the next; it may be
// unregistered in between.
//
// expect: signal
// within: random, 100 runs
// bug: notify, main
#define _GNU_SOURCE
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int calls;

static void count_call(void) { calls++; }

static void (*volatile callback)(void) = count_call;

static void* notify(void* unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  const bool registered = callback != NULL;
  pthread_mutex_unlock(&lock);
  if (registered) {
    pthread_mutex_lock(&lock);
    callback();
    pthread_mutex_unlock(&lock);
  }
  return NULL;
}

int main(void) {
  pthread_t notifier;
  pthread_create(&notifier, NULL, notify, NULL);
  pthread_mutex_lock(&lock);
  callback = NULL;
  pthread_mutex_unlock(&lock);
  pthread_join(notifier, NULL);
  puts("ok");
}
