// Two threads add to a plain counter with no lock at all: one addition is lost.
//
// expect: assert
// within: random, 200 runs
// bug: add
// flags: -fsanitize=thread
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static int counter;

static void* add(void* unused) {
  (void)unused;
  counter++;
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, add, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  assert(counter == 2);
  puts("ok");
}
