// Two threads need both of two named permits, and each may get one.
//
// expect: deadlock
// within: random, 100 runs
// bug: use_both
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <unistd.h>

static sem_t* permits;

static void* use_both(void* unused) {
  (void)unused;
  sem_wait(permits);
  sem_wait(permits);
  sem_post(permits);
  sem_post(permits);
  return NULL;
}

static void* open_and_use(void* unused) {
  (void)unused;
  char name[64];
  snprintf(name, sizeof(name), "/unravel-permits-%d", (int)getpid());
  permits = sem_open(name, O_CREAT | O_EXCL, 0600, 2);
  assert(permits != SEM_FAILED);
  sem_unlink(name);
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, use_both, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, open_and_use, NULL);
  pthread_join(thread, NULL);
  puts("ok");
}
