// A counter is multiplied in a loop that starts again if somebody else has changed it.
//
// expect: passed
// within: random, 50 runs
// flags: -fsanitize=thread -O1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

static atomic_short product = 1;

static void* multiply(void* by) {
  short seen = atomic_load(&product);
  while (!atomic_compare_exchange_weak(&product, &seen, (short)(seen * (intptr_t)by))) continue;
  return NULL;
}

int main(void) {
  pthread_t threads[3];
  for (intptr_t i = 0; i < 3; i++) pthread_create(&threads[i], NULL, multiply, (void*)(i + 2));
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  assert(product == 24);
  puts("ok");
}
