// Lines printed before the first thread, buffered or not, come out once and in order.
//
// expect: passed
// within: random, 50 runs
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>

static void* print(void* line) {
  puts(line);
  return NULL;
}

int main(void) {
  puts("before");
  fputs("unbuffered\n", stderr);
  fputs("same ", stdout);
  pthread_t thread;
  pthread_create(&thread, NULL, print, "line");
  pthread_join(thread, NULL);
  puts("ok");
}
