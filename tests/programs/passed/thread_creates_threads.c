// A tree of threads: each creates two of the next generation and adds up what they return.
//
// expect: passed
// within: random, 50 runs
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

static void* count_tree(void* generations) {
  const intptr_t left = (intptr_t)generations;
  if (left == 0) return (void*)1;

  pthread_t children[2];
  for (int i = 0; i < 2; i++) pthread_create(&children[i], NULL, count_tree, (void*)(left - 1));
  intptr_t total = 1;
  for (int i = 0; i < 2; i++) {
    void* value;
    pthread_join(children[i], &value);
    total += (intptr_t)value;
  }
  return (void*)total;
}

int main(void) {
  assert((intptr_t)count_tree((void*)2) == 7);
  puts("ok");
}
