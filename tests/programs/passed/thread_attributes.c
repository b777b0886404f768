// Threads with a stack size, a guard size, a stack of the program's own, detached, and with
// scheduling attributes; a wrong attribute is refused.
//
// expect: passed
// within: random, 50 runs
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static sem_t ended;
static char* own_stack;
enum { kStack = 256 * 1024 };

static void* note(void* unused) {
  sem_post(&ended);
  return unused;
}

static void* use_much(void* unused) {
  char block[1024 * 1024];
  memset(block, 1, sizeof(block));
  sem_post(&ended);
  return block[1000] ? unused : NULL;
}

static void* is_on_own_stack(void* unused) {
  char here;
  assert(&here >= own_stack && &here < own_stack + kStack);
  sem_post(&ended);
  return unused;
}

int main(void) {
  sem_init(&ended, 0, 0);
  pthread_attr_t large, own, detached, scheduled;
  pthread_attr_init(&large);
  assert(pthread_attr_setstacksize(&large, 2 * 1024 * 1024) == 0);
  assert(pthread_attr_setguardsize(&large, 64 * 1024) == 0);
  pthread_attr_init(&own);
  own_stack = aligned_alloc(4096, kStack);
  assert(pthread_attr_setstack(&own, own_stack, kStack) == 0);
  pthread_attr_init(&detached);
  pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
  pthread_attr_init(&scheduled);
  pthread_attr_setinheritsched(&scheduled, PTHREAD_EXPLICIT_SCHED);
  pthread_attr_setschedpolicy(&scheduled, SCHED_OTHER);

  pthread_t threads[4];
  assert(pthread_create(&threads[0], &large, use_much, NULL) == 0);
  assert(pthread_create(&threads[1], &own, is_on_own_stack, NULL) == 0);
  assert(pthread_create(&threads[2], &scheduled, note, NULL) == 0);
  assert(pthread_create(&threads[3], &detached, note, NULL) == 0);
  for (int i = 0; i < 4; i++) sem_wait(&ended);
  for (int i = 0; i < 3; i++) assert(pthread_join(threads[i], NULL) == 0);
  assert(pthread_attr_setstacksize(&large, 1) == EINVAL);
  free(own_stack);
  puts("ok");
}
