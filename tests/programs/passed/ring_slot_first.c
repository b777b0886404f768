// A ring buffer of one producer and one consumer: the index moves on when the slot is filled.
//
// expect: passed
// within: random, 50 runs
// flags: -fsanitize=thread -O1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static int slots[2];
static atomic_uint head, tail;

static void put(int value) {
  const unsigned at = atomic_load_explicit(&tail, memory_order_relaxed);
  while (at - atomic_load_explicit(&head, memory_order_acquire) == 2) continue;
  slots[at % 2] = value;
  atomic_store_explicit(&tail, at + 1, memory_order_release);
}

static int take(void) {
  const unsigned at = atomic_load_explicit(&head, memory_order_relaxed);
  while (atomic_load_explicit(&tail, memory_order_acquire) == at) continue;
  const int value = slots[at % 2];
  atomic_store_explicit(&head, at + 1, memory_order_release);
  return value;
}

static void* produce(void* unused) {
  (void)unused;
  for (int i = 1; i <= 5; i++) put(i);
  return NULL;
}

int main(void) {
  pthread_t producer;
  pthread_create(&producer, NULL, produce, NULL);
  for (int i = 1; i <= 5; i++) assert(take() == i);
  pthread_join(producer, NULL);
  puts("ok");
}
