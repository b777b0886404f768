// A thread of the asynchronous type ends also while it waits for a lock, a barrier or another
// thread's turn; of a condition variable it has the mutex again before it ends.
//
// expect: passed
// within: random, 30 runs
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

static pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;

static void wait_for_lock(void) { pthread_mutex_lock(&held); }
static void wait_to_write(void) { pthread_rwlock_wrlock(&shared); }
static void spin(void) {
  for (;;) sched_yield();
}

static void unlock(void* mutex) { assert(pthread_mutex_unlock(mutex) == 0); }

static void wait_for_signal(void) {
  pthread_mutex_lock(&lock);
  pthread_cleanup_push(unlock, &lock);
  for (;;) pthread_cond_wait(&never, &lock);
  pthread_cleanup_pop(0);
}

static void (*const waits[])(void) = {wait_for_lock, wait_to_write, spin, wait_for_signal};

static void* wait_for_ever(void* index) {
  if ((long)index != 3) pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
  waits[(long)index]();
  return NULL;
}

int main(void) {
  pthread_mutex_lock(&held);
  pthread_rwlock_wrlock(&shared);
  for (long i = 0; i < 4; i++) {
    pthread_t thread;
    pthread_create(&thread, NULL, wait_for_ever, (void*)i);
    usleep(10);
    assert(pthread_cancel(thread) == 0);
    void* result = NULL;
    assert(pthread_join(thread, &result) == 0 && result == PTHREAD_CANCELED);
  }
  pthread_mutex_unlock(&held);
  pthread_rwlock_unlock(&shared);
  assert(pthread_mutex_trylock(&lock) == 0);
}
