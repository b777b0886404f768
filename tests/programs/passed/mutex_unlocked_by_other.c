// A mutex of the usual kind that another thread than its owner unlocks, as a semaphore would be
// posted: POSIX does not say what happens, glibc lets it pass, and programs count on that. The
// kinds that know their owner refuse.
//
// expect: passed
// within: random, 50 runs
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t done = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t gate = PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t checked = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_mutex_t nested = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t busy = PTHREAD_MUTEX_INITIALIZER;
static int result, passed;

static void* work(void* unused) {
  for (int i = 0; i < 3; i++) {
    pthread_mutex_lock(&busy);
    pthread_mutex_unlock(&busy);
  }
  assert(pthread_mutex_unlock(&checked) == EPERM);
  assert(pthread_mutex_unlock(&nested) == EPERM);
  result = 42;
  assert(pthread_mutex_unlock(&done) == 0);
  return unused;
}

static void* wait_at_gate(void* unused) {
  pthread_mutex_lock(&gate);
  passed++;
  pthread_mutex_unlock(&gate);
  return unused;
}

static void* open_gate(void* unused) {
  assert(pthread_mutex_unlock(&gate) == 0);
  return unused;
}

// Ends with the lock held.
static void* take_and_end(void* unused) {
  pthread_mutex_lock(&busy);
  return unused;
}

int main(void) {
  pthread_t threads[3];
  pthread_mutex_lock(&checked);
  pthread_mutex_lock(&nested);
  pthread_mutex_lock(&done);
  pthread_create(&threads[0], NULL, work, NULL);
  pthread_mutex_lock(&done);  // until it has worked
  assert(result == 42);
  pthread_join(threads[0], NULL);
  pthread_mutex_unlock(&done);

  pthread_mutex_lock(&gate);
  pthread_create(&threads[0], NULL, wait_at_gate, NULL);
  pthread_create(&threads[1], NULL, wait_at_gate, NULL);
  pthread_create(&threads[2], NULL, open_gate, NULL);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  assert(passed == 2);

  pthread_create(&threads[0], NULL, take_and_end, NULL);
  pthread_join(threads[0], NULL);
  assert(pthread_mutex_trylock(&busy) == EBUSY);
  assert(pthread_mutex_unlock(&busy) == 0);
  assert(pthread_mutex_trylock(&busy) == 0);
  puts("ok");
}
