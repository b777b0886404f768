// Two threads may wait at the gate, but opening it signals only one of them.
//
// expect: lost-wakeup
// within: random, 100 runs
// bug: pass_gate, open_gate, main
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t opened = PTHREAD_COND_INITIALIZER;
static int open;

static void* pass_gate(void* unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  while (!open) pthread_cond_wait(&opened, &lock);
  pthread_mutex_unlock(&lock);
  return NULL;
}

static void open_gate(void) {
  pthread_mutex_lock(&lock);
  open = 1;
  pthread_cond_signal(&opened);
  pthread_mutex_unlock(&lock);
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, pass_gate, NULL);
  open_gate();
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  puts("ok");
}
