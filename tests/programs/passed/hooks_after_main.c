// Main ends before the threads that it detached: they go on accessing memory, and the last one
// ends the program.
//
// expect: passed
// within: random, 40 runs
// flags: -fsanitize=thread
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum { kThreads = 3, kRounds = 6 };

static atomic_int counter;
static atomic_int ended;

static void* work(void* unused) {
  for (int i = 0; i < kRounds; i++) atomic_fetch_add(&counter, 1);
  if (atomic_fetch_add(&ended, 1) + 1 == kThreads) {
    assert(counter == kThreads * kRounds);
    puts("ok");
    exit(0);
  }
  return unused;
}

int main(void) {
  for (int i = 0; i < kThreads; i++) {
    pthread_t thread;
    assert(pthread_create(&thread, NULL, work, NULL) == 0);
    assert(pthread_detach(thread) == 0);
  }
  atomic_load(&counter);
  pthread_exit(NULL);
}
