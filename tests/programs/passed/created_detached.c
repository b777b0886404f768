// Threads created detached by their attribute, the last of which lets main go on.
//
// expect: passed
// within: random, 50 runs
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

enum { kThreads = 3 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t all_done = PTHREAD_COND_INITIALIZER;
static int done;

static void* work(void* unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  if (++done == kThreads) pthread_cond_signal(&all_done);
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_attr_t detached;
  pthread_attr_init(&detached);
  pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
  for (int i = 0; i < kThreads; i++) {
    pthread_t thread;
    assert(pthread_create(&thread, &detached, work, NULL) == 0);
  }
  pthread_attr_destroy(&detached);

  pthread_mutex_lock(&lock);
  while (done < kThreads) pthread_cond_wait(&all_done, &lock);
  pthread_mutex_unlock(&lock);
  puts("ok");
}
