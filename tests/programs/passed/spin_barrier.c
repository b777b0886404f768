// A barrier to spin on, used twice: the last thread to come turns the sense round.
//
// expect: passed
// within: random, 50 runs
// flags: -fsanitize=thread -O1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { THREADS = 3 };

static atomic_int missing = THREADS;
static atomic_bool sense;
static int filled[THREADS];

static void wait_for_all(bool mine) {
  if (atomic_fetch_sub(&missing, 1) == 1) {
    atomic_store(&missing, THREADS);
    atomic_store(&sense, mine);
  }
  while (atomic_load(&sense) != mine) continue;
}

static void* work(void* which) {
  filled[(intptr_t)which] = 1;
  wait_for_all(true);
  int sum = 0;
  for (int i = 0; i < THREADS; i++) sum += filled[i];
  assert(sum == THREADS);
  wait_for_all(false);
  filled[(intptr_t)which] = 0;
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  for (intptr_t i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, work, (void*)i);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  puts("ok");
}
