// A mutex with a priority ceiling. Threads of the normal policy are refused, as without us.
//
// expect: passed
// within: random, 50 runs
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>

static pthread_mutex_t lock;
static int counter;

static void* add(void* unused) {
  (void)unused;
  const int error = pthread_mutex_lock(&lock);
  assert(error == 0 || error == EINVAL || error == EPERM);
  if (error) return NULL;
  counter++;
  assert(pthread_mutex_unlock(&lock) == 0);
  return NULL;
}

int main(void) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_PROTECT);
  pthread_mutexattr_setprioceiling(&attributes, sched_get_priority_min(SCHED_FIFO));
  assert(pthread_mutex_init(&lock, &attributes) == 0);
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, add, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  assert(counter == 0 || counter == 2);
  puts("ok");
}
