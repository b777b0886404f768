// A cycle of a join and a lock that a third thread ends by cancelling the joiner is no deadlock,
// nor are two threads that join each other, of which one was cancelled.
//
// expect: passed
// within: random, 40 runs
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_t joiner, locker;

static void unlock(void* mutex) { pthread_mutex_unlock(mutex); }

static void* take_lock(void* unused) {
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  return unused;
}

static void* join_holding_lock(void* unused) {
  pthread_mutex_lock(&lock);
  pthread_cleanup_push(unlock, &lock);
  pthread_create(&locker, NULL, take_lock, NULL);
  pthread_join(locker, NULL);
  pthread_cleanup_pop(1);
  return unused;
}

static void* join_back(void* main_thread) {
  pthread_join(*(pthread_t*)main_thread, NULL);
  assert(!"main has not ended");
  return NULL;
}

int main(void) {
  pthread_t self = pthread_self();
  pthread_create(&joiner, NULL, join_back, &self);
  usleep(1000);
  pthread_cancel(joiner);
  assert(pthread_join(joiner, NULL) == 0);

  pthread_create(&joiner, NULL, join_holding_lock, NULL);
  usleep(1000);
  pthread_cancel(joiner);
  void* result = NULL;
  pthread_join(joiner, &result);
  if (result == PTHREAD_CANCELED) pthread_join(locker, NULL);
}
