// Peterson's lock guards a plain counter.
//
// expect: passed
// within: random, 50 runs
// flags: -fsanitize=thread -O1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

static atomic_int wants[2];
atomic_int turn;  // not static: clang 14 at -O1 would give each thread a copy on its stack
static int counter;

static void enter(int me) {
  atomic_store(&wants[me], 1);
  atomic_store(&turn, 1 - me);
  while (atomic_load(&wants[1 - me]) && atomic_load(&turn) == 1 - me) continue;
}

static void leave(int me) { atomic_store(&wants[me], 0); }

static void* work(void* which) {
  const int me = (int)(intptr_t)which;
  for (int i = 0; i < 2; i++) {
    enter(me);
    counter++;
    leave(me);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (intptr_t i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, (void*)i);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  assert(counter == 4);
  puts("ok");
}
