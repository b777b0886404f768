// A thread spins on a volatile flag, which is set before the answer is there.
//
// expect: assert
// within: random, 200 runs
// bug: compute, main
// flags: -fsanitize=thread
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>

static volatile bool ready;
static int answer;

static void* compute(void* unused) {
  (void)unused;
  ready = true;
  answer = 42;
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, compute, NULL);
  while (!ready) continue;
  assert(answer == 42);
  pthread_join(thread, NULL);
  puts("ok");
}
