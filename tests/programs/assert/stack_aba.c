// A lock-free stack: while one thread is about to pop node 1, another pops 1 and 2 and pushes 1
// again. The top looks unchanged, so node 2 is back in the stack although it is in use.
//
// expect: assert
// within: random, 200 runs
// bug: pop, push, keep_one, main
// flags: -fsanitize=thread -O1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int next[4], top;
static int kept;

static int pop(void) {
  int first = atomic_load(&top);
  while (first != 0 && !atomic_compare_exchange_strong(&top, &first, atomic_load(&next[first])))
    continue;
  return first;
}

static void push(int node) {
  int first = atomic_load(&top);
  do atomic_store(&next[node], first);
  while (!atomic_compare_exchange_strong(&top, &first, node));
}

static void* keep_one(void* unused) {
  (void)unused;
  const int returned = pop();
  kept = pop();
  push(returned);
  return NULL;
}

int main(void) {
  for (int round = 0; round < 5; round++) {
    for (int node = 3; node >= 1; node--) push(node);
    pthread_t other;
    pthread_create(&other, NULL, keep_one, NULL);
    pop();
    pthread_join(other, NULL);
    for (int node = pop(); node != 0; node = pop()) assert(node != kept);
  }
  puts("ok");
}
