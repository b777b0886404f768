// The counter is atomic, but it is loaded and stored in two steps: one addition is lost.
//
// expect: assert
// within: random, 200 runs
// bug: add
// flags: -fsanitize=thread -O1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_long counter;

static void* add(void* unused) {
  (void)unused;
  atomic_store(&counter, atomic_load(&counter) + 1);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, add, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  assert(counter == 2);
  puts("ok");
}
