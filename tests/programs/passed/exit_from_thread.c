// A thread ends by pthread_exit deep in a call; its cleanup handler still runs.
//
// expect: passed
// within: random, 50 runs
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int token;

static void release(void* mutex) { pthread_mutex_unlock(mutex); }

static void leave(void) { pthread_exit(&token); }

static void* work(void* unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  pthread_cleanup_push(release, &lock);
  leave();
  pthread_cleanup_pop(0);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);

  void* value = NULL;
  pthread_join(thread, &value);
  assert(value == &token);
  puts("ok");
}
