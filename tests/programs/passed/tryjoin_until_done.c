// pthread_tryjoin_np says EBUSY while the thread is held up, and joins it once it has ended.
//
// expect: passed
// within: random, 50 runs
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

static void* pass_gate(void* value) {
  pthread_mutex_lock(&gate);
  pthread_mutex_unlock(&gate);
  return value;
}

int main(void) {
  int token = 0;
  void* value = NULL;
  pthread_t thread;
  pthread_mutex_lock(&gate);
  pthread_create(&thread, NULL, pass_gate, &token);

  assert(pthread_tryjoin_np(thread, &value) == EBUSY);
  pthread_mutex_unlock(&gate);
  int error;
  while ((error = pthread_tryjoin_np(thread, &value)) == EBUSY) sched_yield();

  assert(error == 0);
  assert(value == &token);
  puts("ok");
}
