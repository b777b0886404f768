// A lock-free stack whose top carries a number that every change increases: no top comes twice.
//
// expect: passed
// within: random, 50 runs
// flags: -fsanitize=thread -O1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

struct top {
  uint32_t node, changes;
};

static atomic_uint next[4];
static _Atomic struct top top;
static uint32_t kept;

static uint32_t pop(void) {
  struct top first = atomic_load(&top), second;
  do {
    if (first.node == 0) return 0;
    second = (struct top){atomic_load(&next[first.node]), first.changes + 1};
  } while (!atomic_compare_exchange_strong(&top, &first, second));
  return first.node;
}

static void push(uint32_t node) {
  struct top first = atomic_load(&top), pushed;
  do {
    atomic_store(&next[node], first.node);
    pushed = (struct top){node, first.changes + 1};
  } while (!atomic_compare_exchange_strong(&top, &first, pushed));
}

static void* keep_one(void* unused) {
  (void)unused;
  const uint32_t returned = pop();
  kept = pop();
  push(returned);
  return NULL;
}

int main(void) {
  for (uint32_t node = 3; node >= 1; node--) push(node);
  pthread_t other;
  pthread_create(&other, NULL, keep_one, NULL);
  pop();
  pthread_join(other, NULL);
  for (uint32_t node = pop(); node != 0; node = pop()) assert(node != kept);
  puts("ok");
}
