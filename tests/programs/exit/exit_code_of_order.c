// Main returns 3 if the second thread came first.
//
// expect: exit
// within: random, 100 runs
// bug: arrive, main
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int first;

static void* arrive(void* number) {
  pthread_mutex_lock(&lock);
  if (first == 0) first = (int)(intptr_t)number;
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (intptr_t i = 0; i < 2; i++) pthread_create(&threads[i], NULL, arrive, (void*)(i + 1));
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  if (first != 1) return 3;
  puts("ok");
}
