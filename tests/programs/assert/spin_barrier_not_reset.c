// A barrier to spin on whose count is not reset: the second time it lets everybody through.
//
// expect: assert
// within: random, 200 runs
// bug: wait_for_all, work
// flags: -fsanitize=thread -O1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

enum { THREADS = 2 };

static atomic_int arrived;
static atomic_int filled[THREADS];

static void wait_for_all(void) {
  atomic_fetch_add(&arrived, 1);
  while (atomic_load(&arrived) < THREADS) continue;
}

static void* work(void* which) {
  for (int round = 1; round <= 2; round++) {
    atomic_store(&filled[(intptr_t)which], round);
    wait_for_all();
    for (int i = 0; i < THREADS; i++) assert(atomic_load(&filled[i]) >= round);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  for (intptr_t i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, work, (void*)i);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  puts("ok");
}
