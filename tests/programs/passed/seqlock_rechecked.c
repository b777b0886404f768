// The reader of a sequence lock starts again if the number has changed while it read.
//
// expect: passed
// within: random, 50 runs
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
  unsigned before;
  do {
    before = atomic_load(&sequence);
    *l = atomic_load(&left);
    *r = atomic_load(&right);
  } while (before % 2 != 0 || atomic_load(&sequence) != before);
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
