// A spin lock protects a counter, and its trylock refuses while it is held.
//
// expect: passed
// within: random, 50 runs
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

static pthread_spinlock_t lock;
static int counter;

static void* add_two(void* unused) {
  (void)unused;
  for (int i = 0; i < 2; i++) {
    pthread_spin_lock(&lock);
    assert(pthread_spin_trylock(&lock) == EBUSY);
    counter++;
    pthread_spin_unlock(&lock);
  }
  return NULL;
}

int main(void) {
  pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, add_two, NULL);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  assert(counter == 6);
  pthread_spin_destroy(&lock);
  puts("ok");
}
