// A lock to spin on that is tested first and set then: two threads find it free.
//
// expect: assert
// within: random, 200 runs
// bug: lock, add
// flags: -fsanitize=thread
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int taken;
static int counter;

static void lock(void) {
  while (atomic_load(&taken)) continue;
  atomic_store(&taken, 1);
}

static void unlock(void) { atomic_store(&taken, 0); }

static void* add(void* unused) {
  (void)unused;
  for (int i = 0; i < 6; i++) {
    lock();
    counter++;
    unlock();
  }
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, add, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  assert(counter == 12);
  puts("ok");
}
