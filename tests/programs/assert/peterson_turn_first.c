// Peterson's lock, but the turn is given away before the wish is shown: both get in.
//
// expect: assert
// within: random, 200 runs
// bug: enter, work
// flags: -fsanitize=thread -O1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

static atomic_int wants[2], turn, inside;

static void enter(int me) {
  atomic_store(&turn, 1 - me);
  atomic_store(&wants[me], 1);
  while (atomic_load(&wants[1 - me]) && atomic_load(&turn) == 1 - me) continue;
}

static void leave(int me) { atomic_store(&wants[me], 0); }

static void* work(void* which) {
  const int me = (int)(intptr_t)which;
  for (int i = 0; i < 8; i++) {
    enter(me);
    assert(atomic_fetch_add(&inside, 1) == 0);
    atomic_fetch_sub(&inside, 1);
    leave(me);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (intptr_t i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, (void*)i);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  puts("ok");
}
