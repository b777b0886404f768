// Two threads add to a plain counter without a lock. Built with hooks at memory accesses.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static int counter;

static void* add(void* unused) {
  counter++;
  return unused;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, add, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  puts("counted");
  assert(counter == 2);
}
