// Both threads see that one seat is left before either takes it.
//
// expect: assert
// within: random, 200 runs
// bug: book
// flags: -fsanitize=thread
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int seats = 1;

static void* book(void* unused) {
  (void)unused;
  if (atomic_load(&seats) > 0) atomic_fetch_sub(&seats, 1);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, book, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  assert(seats == 0);
  puts("ok");
}
