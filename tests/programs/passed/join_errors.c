// Joining oneself is EDEADLK, joining a detached thread EINVAL.
//
// expect: passed
// within: random, 50 runs
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

static void* join_self(void* unused) {
  (void)unused;
  assert(pthread_join(pthread_self(), NULL) == EDEADLK);
  return NULL;
}

static void* pass_gate(void* unused) {
  (void)unused;
  pthread_mutex_lock(&gate);
  pthread_mutex_unlock(&gate);
  return NULL;
}

int main(void) {
  assert(pthread_join(pthread_self(), NULL) == EDEADLK);

  // The gate keeps the thread alive, so that its handle is still a valid one.
  pthread_mutex_lock(&gate);
  pthread_t joined, detached;
  pthread_create(&joined, NULL, join_self, NULL);
  pthread_create(&detached, NULL, pass_gate, NULL);
  pthread_detach(detached);
  assert(pthread_join(detached, NULL) == EINVAL);
  assert(pthread_detach(detached) == EINVAL);
  pthread_mutex_unlock(&gate);

  assert(pthread_join(joined, NULL) == 0);
  puts("ok");
}
