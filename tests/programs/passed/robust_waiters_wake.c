// Two threads wait for a robust mutex whose owner ends. One of them is told so and gives it back
// as it is; to the other it is lost.
//
// expect: passed
// within: random, 100 runs
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

enum { kWaiters = 2 };

static pthread_mutex_t lock;
static sem_t held;
static int told, lost;  // changed with the turn that `count` gives
static pthread_mutex_t count = PTHREAD_MUTEX_INITIALIZER;

static void* die_holding(void* unused) {
  (void)unused;
  assert(pthread_mutex_lock(&lock) == 0);
  for (int i = 0; i < kWaiters; i++) sem_post(&held);
  return NULL;
}

static void* wait_for_it(void* unused) {
  (void)unused;
  sem_wait(&held);
  const int error = pthread_mutex_lock(&lock);
  pthread_mutex_lock(&count);
  if (error == EOWNERDEAD) told++;
  if (error == ENOTRECOVERABLE) lost++;
  pthread_mutex_unlock(&count);
  if (error == EOWNERDEAD) pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&lock, &attributes);
  sem_init(&held, 0, 0);

  pthread_t owner, waiters[kWaiters];
  pthread_create(&owner, NULL, die_holding, NULL);
  for (int i = 0; i < kWaiters; i++) pthread_create(&waiters[i], NULL, wait_for_it, NULL);
  pthread_join(owner, NULL);
  for (int i = 0; i < kWaiters; i++) pthread_join(waiters[i], NULL);
  assert(told == 1);
  assert(lost == kWaiters - 1);
  puts("ok");
}
