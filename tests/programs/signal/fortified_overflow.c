// A thread copies more than there is room for, in a program that was built to notice.
//
// expect: signal
// within: random, 5 runs
// bug: copy
// variant: -O0: passed, 5 runs; only the optimiser puts the checks in
// flags: -O1 -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2 -fsanitize=thread
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static char room[8];

static void* copy(void* text) {
  strcpy(room, text);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, copy, "more than eight");
  pthread_join(thread, NULL);
  puts(room);
}
