// A state machine whose two steps came in the wrong order traps (SIGILL).
//
// expect: signal
// within: random, 100 runs
// bug: advance, main
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int state;

static void* advance(void* from) {
  pthread_mutex_lock(&lock);
  if (state != (int)(intptr_t)from) __builtin_trap();
  state++;
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t opener, closer;
  pthread_create(&opener, NULL, advance, (void*)0);
  pthread_create(&closer, NULL, advance, (void*)1);
  pthread_join(opener, NULL);
  pthread_join(closer, NULL);
  puts("ok");
}
