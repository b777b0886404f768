// A work-stealing deque whose owner takes the last item without competing for it: a thief who
// saw it before takes it too.
//
// expect: assert
// within: random, 200 runs
// bug: take, steal, main
// flags: -fsanitize=thread -O1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int top, bottom = 1;
static atomic_int done;

static void take(void) {
  const int at = atomic_fetch_sub(&bottom, 1) - 1;
  if (atomic_load(&top) <= at) atomic_fetch_add(&done, 1);
}

static void* steal(void* unused) {
  (void)unused;
  int at = atomic_load(&top);
  if (at < atomic_load(&bottom) && atomic_compare_exchange_strong(&top, &at, at + 1))
    atomic_fetch_add(&done, 1);
  return NULL;
}

int main(void) {
  pthread_t thieves[2];
  for (int i = 0; i < 2; i++) pthread_create(&thieves[i], NULL, steal, NULL);
  take();
  for (int i = 0; i < 2; i++) pthread_join(thieves[i], NULL);
  assert(done == 1);
  puts("ok");
}
