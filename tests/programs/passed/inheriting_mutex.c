// Priority-inheriting mutexes: exclusion, a second lock, a try, a deadline.
//
// expect: passed
// within: random, 50 runs
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

static pthread_mutex_t lock, checked;
static int counter;

static void* add(void* unused) {
  (void)unused;
  for (int i = 0; i < 3; i++) {
    assert(pthread_mutex_lock(&lock) == 0);
    const int seen = counter;
    assert(pthread_mutex_lock(&checked) == 0);
    assert(pthread_mutex_lock(&checked) == EDEADLK);
    assert(pthread_mutex_unlock(&checked) == 0);
    counter = seen + 1;
    assert(pthread_mutex_unlock(&lock) == 0);
  }
  return NULL;
}

static void* find_it_taken(void* unused) {
  (void)unused;
  assert(pthread_mutex_trylock(&lock) == EBUSY);
  struct timespec moment;
  clock_gettime(CLOCK_REALTIME, &moment);
  moment.tv_sec += 1;
  assert(pthread_mutex_timedlock(&lock, &moment) == ETIMEDOUT);
  return NULL;
}

int main(void) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT);
  pthread_mutex_init(&lock, &attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&checked, &attributes);

  pthread_t threads[3];
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, add, NULL);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  assert(counter == 9);

  pthread_mutex_lock(&lock);
  pthread_create(&threads[0], NULL, find_it_taken, NULL);
  pthread_join(threads[0], NULL);
  pthread_mutex_unlock(&lock);
  puts("ok");
}
