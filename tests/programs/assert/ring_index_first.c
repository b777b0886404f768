// The producer of a ring buffer moves the index on before it fills the slot.
//
// expect: assert
// within: random, 200 runs
// bug: put, take, main
// flags: -fsanitize=thread -O1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static int slots[4];
static atomic_uint head, tail;

static void put(int value) {
  const unsigned at = atomic_fetch_add(&tail, 1);
  slots[at % 4] = value;
}

static int take(void) {
  const unsigned at = atomic_load(&head);
  while (atomic_load(&tail) == at) continue;
  const int value = slots[at % 4];
  atomic_store(&head, at + 1);
  return value;
}

static void* produce(void* unused) {
  (void)unused;
  for (int i = 1; i <= 3; i++) put(i);
  return NULL;
}

int main(void) {
  pthread_t producer;
  pthread_create(&producer, NULL, produce, NULL);
  for (int i = 1; i <= 3; i++) assert(take() == i);
  pthread_join(producer, NULL);
  puts("ok");
}
