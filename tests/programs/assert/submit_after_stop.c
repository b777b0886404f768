// submit() looks whether the pool is still open and queues the job afterwards: it may be
// closed, and found empty, in between.
//
// expect: assert
// within: random, 100 runs
// bug: is_closed, submit, close_and_drain, main
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool closed;
static int queued;

static bool is_closed(void) {
  pthread_mutex_lock(&lock);
  const bool now = closed;
  pthread_mutex_unlock(&lock);
  return now;
}

static void* submit(void* unused) {
  (void)unused;
  if (is_closed()) return NULL;
  pthread_mutex_lock(&lock);
  queued++;
  pthread_mutex_unlock(&lock);
  return NULL;
}

static void close_and_drain(void) {
  pthread_mutex_lock(&lock);
  closed = true;
  queued = 0;
  pthread_mutex_unlock(&lock);
}

int main(void) {
  pthread_t submitters[2];
  for (int i = 0; i < 2; i++) pthread_create(&submitters[i], NULL, submit, NULL);
  close_and_drain();
  for (int i = 0; i < 2; i++) pthread_join(submitters[i], NULL);
  assert(queued == 0);
  puts("ok");
}
