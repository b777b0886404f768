// A 64-bit time is read and increased as a whole.
//
// expect: passed
// within: random, 50 runs
// flags: -fsanitize=thread -O1
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

static uint64_t time_now = UINT32_MAX;

static void* tick(void* unused) {
  (void)unused;
  __atomic_add_fetch(&time_now, 1, __ATOMIC_SEQ_CST);
  return NULL;
}

static uint64_t now(void) { return __atomic_load_n(&time_now, __ATOMIC_SEQ_CST); }

int main(void) {
  pthread_t ticker;
  pthread_create(&ticker, NULL, tick, NULL);
  assert(now() >= UINT32_MAX);
  pthread_join(ticker, NULL);
  assert(now() == UINT64_C(1) << 32);
  puts("ok");
}
