// Two threads set bits of their own, but these lie in one byte: one bit is lost.
//
// expect: assert
// within: random, 200 runs
// bug: set
// flags: -fsanitize=thread
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

static unsigned char bits;

static void* set(void* bit) {
  bits |= (unsigned char)(intptr_t)bit;
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (intptr_t i = 0; i < 2; i++) pthread_create(&threads[i], NULL, set, (void*)(i + 1));
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  assert(bits == 3);
  puts("ok");
}
