// C11: the counter is read in one critical section and written in the next.
//
// expect: assert
// within: random, 100 runs
// bug: add
#include <assert.h>
#include <stdio.h>
#include <threads.h>

static mtx_t lock;
static int counter;

static int add(void* unused) {
  (void)unused;
  mtx_lock(&lock);
  const int seen = counter;
  mtx_unlock(&lock);
  mtx_lock(&lock);
  counter = seen + 1;
  mtx_unlock(&lock);
  return 0;
}

int main(void) {
  mtx_init(&lock, mtx_plain);
  thrd_t threads[2];
  for (int i = 0; i < 2; i++) thrd_create(&threads[i], add, NULL);
  for (int i = 0; i < 2; i++) thrd_join(threads[i], NULL);
  assert(counter == 2);
  puts("ok");
}
