// Two numbers that belong together are one atomic of 16 bytes.
//
// expect: passed
// within: random, 50 runs
// flags: -fsanitize=thread -mcx16
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>

typedef unsigned __int128 pair;

static pair range = 1;

static pair pair_of(unsigned long from, unsigned long to) { return (pair)from << 64 | to; }

static void* move(void* unused) {
  (void)unused;
  pair seen = __atomic_load_n(&range, __ATOMIC_SEQ_CST), moved;
  do moved = seen + pair_of(1, 1);
  while (!__atomic_compare_exchange_n(&range, &seen, moved, false, __ATOMIC_SEQ_CST,
                                      __ATOMIC_SEQ_CST));
  return NULL;
}

static void check(void) {
  const pair seen = __atomic_load_n(&range, __ATOMIC_SEQ_CST);
  assert((unsigned long)(seen >> 64) < (unsigned long)seen);
}

int main(void) {
  pthread_t movers[2];
  for (int i = 0; i < 2; i++) pthread_create(&movers[i], NULL, move, NULL);
  check();
  for (int i = 0; i < 2; i++) pthread_join(movers[i], NULL);
  assert(range == pair_of(2, 3));
  puts("ok");
}
