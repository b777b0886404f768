// A thread spins on a volatile flag until it is set, and nothing but the flag is shared. For
// ThreadSanitizer that is a race, so the program asks it to keep quiet about this one.
//
// expect: passed
// within: random, 50 runs
// flags: -fsanitize=thread
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>

static volatile bool ready;

const char* __tsan_default_suppressions(void) { return "race:^set$\n"; }

static void* set(void* unused) {
  (void)unused;
  ready = true;
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, set, NULL);
  while (!ready) continue;
  pthread_join(thread, NULL);
  puts("ok");
}
