// A seat is taken only if as many are left as were seen.
//
// expect: passed
// within: random, 50 runs
// flags: -fsanitize=thread
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int seats = 2;

static void* book(void* unused) {
  (void)unused;
  int left = atomic_load(&seats);
  while (left > 0 && !atomic_compare_exchange_weak(&seats, &left, left - 1)) continue;
  return NULL;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, book, NULL);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  assert(seats == 0);
  puts("ok");
}
