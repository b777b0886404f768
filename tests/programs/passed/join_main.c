// Main ends by pthread_exit with a value, and another thread joins it.
//
// expect: passed
// within: random, 50 runs
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_t main_thread;
static int token;

static void* wait_for_main(void* unused) {
  (void)unused;
  void* value = NULL;
  assert(pthread_join(main_thread, &value) == 0);
  assert(value == &token);
  puts("ok");
  exit(0);
}

int main(void) {
  main_thread = pthread_self();
  pthread_t thread;
  pthread_create(&thread, NULL, wait_for_main, NULL);
  pthread_exit(&token);
}
