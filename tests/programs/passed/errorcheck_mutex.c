// An errorcheck mutex refuses a second lock with EDEADLK and a stranger's unlock with EPERM.
//
// expect: passed
// within: random, 50 runs
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock;
static int counter;

static void* unlock_without_owning(void* unused) {
  (void)unused;
  assert(pthread_mutex_unlock(&lock) == EPERM);
  assert(pthread_mutex_trylock(&lock) == EBUSY);
  return NULL;
}

static void* add_one(void* unused) {
  (void)unused;
  assert(pthread_mutex_lock(&lock) == 0);
  assert(pthread_mutex_lock(&lock) == EDEADLK);
  counter++;
  assert(pthread_mutex_unlock(&lock) == 0);
  return NULL;
}

int main(void) {
  pthread_mutexattr_t errorcheck;
  pthread_mutexattr_init(&errorcheck);
  pthread_mutexattr_settype(&errorcheck, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&lock, &errorcheck);

  pthread_mutex_lock(&lock);
  pthread_t stranger, adder;
  pthread_create(&stranger, NULL, unlock_without_owning, NULL);
  pthread_create(&adder, NULL, add_one, NULL);
  pthread_join(stranger, NULL);
  assert(counter == 0);
  pthread_mutex_unlock(&lock);
  pthread_join(adder, NULL);

  assert(counter == 1);
  puts("ok");
}
