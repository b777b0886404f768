// A range of two atomic numbers is moved one after the other: the reader sees it empty.
//
// expect: assert
// within: random, 200 runs
// bug: move, check, main
// flags: -fsanitize=thread
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_long from = 0, to = 1;

static void* move(void* unused) {
  (void)unused;
  for (int i = 0; i < 3; i++) {
    atomic_fetch_add(&from, 1);
    atomic_fetch_add(&to, 1);
  }
  return NULL;
}

static void check(void) {
  const long end = atomic_load(&to), begin = atomic_load(&from);
  assert(begin < end);
}

int main(void) {
  pthread_t mover;
  pthread_create(&mover, NULL, move, NULL);
  for (int i = 0; i < 2; i++) check();
  pthread_join(mover, NULL);
  puts("ok");
}
