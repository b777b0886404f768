// A 64-bit time is kept in two halves: the reader comes between the carry and the reset.
//
// expect: assert
// within: random, 200 runs
// bug: tick, now, main
// flags: -fsanitize=thread -O1
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

static uint32_t low = UINT32_MAX, high;

static void* tick(void* unused) {
  (void)unused;
  if (++low == 0) high++;
  return NULL;
}

static uint64_t now(void) { return (uint64_t)high << 32 | low; }

int main(void) {
  pthread_t ticker;
  pthread_create(&ticker, NULL, tick, NULL);
  assert(now() >= UINT32_MAX);
  pthread_join(ticker, NULL);
  puts("ok");
}
