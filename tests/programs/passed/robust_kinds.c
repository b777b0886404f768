// Robust mutexes that are recursive, check errors or inherit priority, with an owner that dies.
//
// expect: passed
// within: random, 50 runs
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

static void* die_holding(void* lock) {
  assert(pthread_mutex_lock(lock) == 0);
  return NULL;
}

static void* use(void* lock) {
  const int error = pthread_mutex_lock(lock);
  assert(error == 0 || error == EOWNERDEAD);
  if (error == EOWNERDEAD) pthread_mutex_consistent(lock);
  assert(pthread_mutex_unlock(lock) == 0);
  return NULL;
}

static void try_kind(int type, int protocol, int relock) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, type);
  pthread_mutexattr_setprotocol(&attributes, protocol);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_t lock;
  assert(pthread_mutex_init(&lock, &attributes) == 0);

  pthread_t owner, user;
  pthread_create(&owner, NULL, die_holding, &lock);
  pthread_create(&user, NULL, use, &lock);
  const int error = pthread_mutex_lock(&lock);
  assert(error == 0 || error == EOWNERDEAD);
  if (type != PTHREAD_MUTEX_NORMAL) assert(pthread_mutex_lock(&lock) == relock);
  if (relock == 0) pthread_mutex_unlock(&lock);
  if (error == EOWNERDEAD) pthread_mutex_consistent(&lock);
  assert(pthread_mutex_unlock(&lock) == 0);
  pthread_join(owner, NULL);
  pthread_join(user, NULL);
  pthread_mutex_destroy(&lock);
}

int main(void) {
  try_kind(PTHREAD_MUTEX_NORMAL, PTHREAD_PRIO_NONE, -1);
  try_kind(PTHREAD_MUTEX_RECURSIVE, PTHREAD_PRIO_NONE, 0);
  try_kind(PTHREAD_MUTEX_ERRORCHECK, PTHREAD_PRIO_NONE, EDEADLK);
  try_kind(PTHREAD_MUTEX_NORMAL, PTHREAD_PRIO_INHERIT, -1);
  try_kind(PTHREAD_MUTEX_RECURSIVE, PTHREAD_PRIO_INHERIT, 0);
  puts("ok");
}
