// Each thread returns a value, and join hands it over whatever the order of ending.
//
// expect: passed
// within: random, 50 runs
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

static void* square(void* number) {
  const intptr_t n = (intptr_t)number;
  return (void*)(n * n);
}

int main(void) {
  pthread_t threads[3];
  for (intptr_t i = 0; i < 3; i++) pthread_create(&threads[i], NULL, square, (void*)i);

  for (intptr_t i = 0; i < 3; i++) {
    void* value;
    assert(pthread_join(threads[i], &value) == 0);
    assert((intptr_t)value == i * i);
  }
  puts("ok");
}
