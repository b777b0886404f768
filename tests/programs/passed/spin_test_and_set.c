// A lock to spin on that is tested and set in one step, and only read while it is taken.
//
// expect: passed
// within: random, 50 runs
// flags: -fsanitize=thread
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>

static char taken;
static int counter;

static void lock(void) {
  while (__atomic_test_and_set(&taken, __ATOMIC_ACQUIRE)) {
    while (__atomic_load_n(&taken, __ATOMIC_RELAXED)) continue;
  }
}

static void unlock(void) { __atomic_clear((bool*)&taken, __ATOMIC_RELEASE); }

static void* add(void* unused) {
  (void)unused;
  for (int i = 0; i < 2; i++) {
    lock();
    counter++;
    unlock();
  }
  return NULL;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, add, NULL);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  assert(counter == 6);
  puts("ok");
}
