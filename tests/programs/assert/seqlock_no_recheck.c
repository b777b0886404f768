// The reader of a sequence lock waits for an even number but does not look at it again after
// reading: it takes one half of the old pair and one of the new.
//
// expect: assert
// within: random, 200 runs
// bug: read_pair, write_pair, main
// flags: -fsanitize=thread -O1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_uint sequence;
static atomic_int left, right;

static void* write_pair(void* unused) {
  (void)unused;
  for (int value = 1; value <= 2; value++) {
    atomic_fetch_add(&sequence, 1);
    atomic_store(&left, value);
    atomic_store(&right, value);
    atomic_fetch_add(&sequence, 1);
  }
  return NULL;
}

static void read_pair(int* l, int* r) {
  while (atomic_load(&sequence) % 2 != 0) continue;
  *l = atomic_load(&left);
  *r = atomic_load(&right);
}

int main(void) {
  pthread_t writer;
  pthread_create(&writer, NULL, write_pair, NULL);
  int l, r;
  read_pair(&l, &r);
  assert(l == r);
  pthread_join(writer, NULL);
  puts("ok");
}
