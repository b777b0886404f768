// Threads wait for each other in loops that only look at memory, without a call in them.
//
// expect: passed
// within: random, 5 runs
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready, taken;
static int value;

static int is_set(atomic_int* flag) { return atomic_load(flag) != 0; }

static void* take(void* unused) {
  while (!is_set(&ready)) {
  }
  assert(value == 42);
  value = 43;
  atomic_store(&taken, 1);
  return unused;
}

int main(void) {
  pthread_t taker;
  pthread_create(&taker, NULL, take, NULL);
  value = 42;
  atomic_store(&ready, 1);
  while (!atomic_load_explicit(&taken, memory_order_acquire)) __asm__ volatile("pause");
  assert(value == 43);
  pthread_join(taker, NULL);
  return 0;
}
