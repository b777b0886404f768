// A work-stealing deque: for the last item the owner competes with the thief.
//
// expect: passed
// within: random, 50 runs
// flags: -fsanitize=thread -O1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static int items[2];
static atomic_int top, bottom;
static atomic_int done[2];

static void push(int item) {
  const int at = atomic_load(&bottom);
  items[at] = item;
  atomic_store(&bottom, at + 1);
}

static void take(void) {
  const int at = atomic_fetch_sub(&bottom, 1) - 1;
  int first = atomic_load(&top);
  if (first < at) {
    atomic_fetch_add(&done[items[at]], 1);
    return;
  }
  if (first == at && atomic_compare_exchange_strong(&top, &first, at + 1))
    atomic_fetch_add(&done[items[at]], 1);
  atomic_store(&bottom, at + 1);
}

static void* steal(void* unused) {
  (void)unused;
  for (int i = 0; i < 2; i++) {
    int at = atomic_load(&top);
    if (at < atomic_load(&bottom) && atomic_compare_exchange_strong(&top, &at, at + 1))
      atomic_fetch_add(&done[items[at]], 1);
  }
  return NULL;
}

int main(void) {
  pthread_t thief;
  pthread_create(&thief, NULL, steal, NULL);
  push(0);
  push(1);
  take();
  take();
  pthread_join(thief, NULL);
  assert(done[0] == 1 && done[1] == 1);
  puts("ok");
}
