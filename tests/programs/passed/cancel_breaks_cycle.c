// A cycle of a join and a lock that a third thread ends by cancelling the joiner is no deadlock.
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

int main(void) {
  pthread_create(&joiner, NULL, join_holding_lock, NULL);
  usleep(1000);
  pthread_cancel(joiner);
  void* result = NULL;
  pthread_join(joiner, &result);
  if (result == PTHREAD_CANCELED) pthread_join(locker, NULL);
}
