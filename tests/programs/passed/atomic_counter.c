// Two threads add to a counter, each addition in one indivisible step.
//
// expect: passed
// within: random, 50 runs
// flags: -fsanitize=thread
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static int counter;

static void* add(void* unused) {
  (void)unused;
  for (int i = 0; i < 3; i++) __atomic_fetch_add(&counter, 1, __ATOMIC_RELAXED);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, add, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  assert(counter == 6);
  puts("ok");
}
