// A thread spins on a plain flag, which works as nothing is optimised. For ThreadSanitizer that
// is a race, so the program asks it to keep quiet about this one.
//
// expect: passed
// within: random, 50 runs
// flags: -fsanitize=thread
// variant: -O1: unresolved, 4 runs; the flag is read once, and the loop has no end
#include <pthread.h>
#include <stdio.h>

static int ready;

const char* __tsan_default_suppressions(void) { return "race:^set$\n"; }

static void* set(void* unused) {
  (void)unused;
  ready = 1;
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, set, NULL);
  while (!ready) continue;
  pthread_join(thread, NULL);
  puts("ok");
}
