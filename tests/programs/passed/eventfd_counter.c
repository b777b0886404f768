// Two threads add to an eventfd counter; the reader collects the whole sum.
//
// expect: passed
// within: random, 40 runs
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int counter, permits;

static void* add(void* unused) {
  (void)unused;
  for (int i = 0; i < 3; i++) assert(eventfd_write(counter, 2) == 0);
  return NULL;
}

static void* take_permits(void* unused) {
  (void)unused;
  eventfd_t one = 0;
  for (int i = 0; i < 3; i++) {
    assert(eventfd_read(permits, &one) == 0);
    assert(one == 1);  // a semaphore gives one at a time
  }
  return NULL;
}

int main(void) {
  counter = eventfd(0, 0);
  permits = eventfd(1, EFD_SEMAPHORE);
  pthread_t threads[3];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, add, NULL);
  pthread_create(&threads[2], NULL, take_permits, NULL);
  unsigned long sum = 0;
  while (sum < 12) {
    unsigned long value = 0;
    assert(read(counter, &value, sizeof(value)) == sizeof(value));
    assert(value > 0 && value % 2 == 0);
    sum += value;
  }
  assert(sum == 12);
  assert(eventfd_write(permits, 2) == 0);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  puts("ok");
}
