// Cancellation waits while it is disabled, and comes at the next pthread_testcancel.
//
// expect: passed
// within: random, 100 runs
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <unistd.h>

static sem_t cancelled;
static int protected_part, free_part, after;

static void* work(void* unused) {
  int old = -1;
  assert(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old) == 0);
  assert(old == PTHREAD_CANCEL_ENABLE);
  sem_wait(&cancelled);
  usleep(1000);
  pthread_testcancel();
  protected_part = 1;
  pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
  free_part = 1;  // not a cancellation point yet
  pthread_testcancel();
  after = 1;
  return unused;
}

int main(void) {
  sem_init(&cancelled, 0, 0);
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  pthread_cancel(thread);
  sem_post(&cancelled);
  void* result = NULL;
  pthread_join(thread, &result);
  assert(result == PTHREAD_CANCELED);
  assert(protected_part && free_part && !after);
  puts("ok");
}
