// Threads made without attributes have those of pthread_setattr_default_np: a signal mask, and
// being detached.
//
// expect: passed
// within: random, 40 runs
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>

static sem_t seen, go;

static void* look_at_mask(void* expected) {
  sigset_t mask;
  assert(pthread_sigmask(SIG_SETMASK, NULL, &mask) == 0);
  assert(sigismember(&mask, SIGHUP) == (expected != NULL));
  assert(sigismember(&mask, SIGUSR1) == (expected == NULL));
  return NULL;
}

static void* wait_for_main(void* unused) {
  (void)unused;
  sem_wait(&go);
  sem_post(&seen);
  return NULL;
}

static void make_default(int detached, const sigset_t* mask) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, detached);
  if (mask) assert(pthread_attr_setsigmask_np(&attributes, mask) == 0);
  assert(pthread_setattr_default_np(&attributes) == 0);
  pthread_attr_destroy(&attributes);
}

int main(void) {
  sem_init(&seen, 0, 0);
  sem_init(&go, 0, 0);
  sigset_t own, other;
  sigemptyset(&own);
  sigaddset(&own, SIGUSR1);
  assert(pthread_sigmask(SIG_SETMASK, &own, NULL) == 0);
  sigemptyset(&other);
  sigaddset(&other, SIGHUP);

  pthread_t thread;
  make_default(PTHREAD_CREATE_JOINABLE, &other);
  assert(pthread_create(&thread, NULL, look_at_mask, &other) == 0);
  assert(pthread_join(thread, NULL) == 0);

  make_default(PTHREAD_CREATE_JOINABLE, NULL);
  assert(pthread_create(&thread, NULL, look_at_mask, NULL) == 0);
  assert(pthread_join(thread, NULL) == 0);

  make_default(PTHREAD_CREATE_DETACHED, NULL);
  assert(pthread_create(&thread, NULL, wait_for_main, NULL) == 0);
  assert(pthread_join(thread, NULL) == EINVAL);
  sem_post(&go);
  sem_wait(&seen);
  puts("ok");
}
