// One thread writes numbers into a pipe, another one reads them until the end.
//
// expect: passed
// within: random, 40 runs
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

enum { kItems = 8 };

static int ends[2];

static void* produce(void* unused) {
  (void)unused;
  for (int i = 1; i <= kItems; i++) assert(write(ends[1], &i, sizeof(i)) == sizeof(i));
  assert(close(ends[1]) == 0);
  return NULL;
}

static void* consume(void* unused) {
  (void)unused;
  int item, expected = 1;
  while (read(ends[0], &item, sizeof(item)) == sizeof(item)) assert(item == expected++);
  assert(expected == kItems + 1);
  return NULL;
}

int main(void) {
  assert(pipe(ends) == 0);
  pthread_t producer, consumer;
  pthread_create(&consumer, NULL, consume, NULL);
  pthread_create(&producer, NULL, produce, NULL);
  pthread_join(producer, NULL);
  pthread_join(consumer, NULL);
  puts("ok");
}
