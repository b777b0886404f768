// One broadcast lets every waiter through the gate.
//
// expect: passed
// within: random, 50 runs
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t opened = PTHREAD_COND_INITIALIZER;
static int open;
static int passed;

static void* pass_gate(void* unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  while (!open) pthread_cond_wait(&opened, &lock);
  passed++;
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, pass_gate, NULL);
  pthread_mutex_lock(&lock);
  open = 1;
  pthread_cond_broadcast(&opened);
  pthread_mutex_unlock(&lock);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  assert(passed == 3);
  puts("ok");
}
