// Two threads set bytes of their own, which lie side by side.
//
// expect: passed
// within: random, 50 runs
// flags: -fsanitize=thread
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static struct {
  unsigned char left;
  unsigned char right;
} flags;

static void* set_left(void* unused) {
  (void)unused;
  flags.left++;
  return NULL;
}

static void* set_right(void* unused) {
  (void)unused;
  flags.right++;
  return NULL;
}

int main(void) {
  pthread_t left, right;
  pthread_create(&left, NULL, set_left, NULL);
  pthread_create(&right, NULL, set_right, NULL);
  pthread_join(left, NULL);
  pthread_join(right, NULL);
  assert(flags.left == 1 && flags.right == 1);
  puts("ok");
}
