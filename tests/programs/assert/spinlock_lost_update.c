// The counter is read under the spin lock and written under it, but not in one go.
//
// expect: assert
// within: random, 100 runs
// bug: increment
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static pthread_spinlock_t lock;
static int counter;

static void* increment(void* unused) {
  (void)unused;
  pthread_spin_lock(&lock);
  const int seen = counter;
  pthread_spin_unlock(&lock);

  pthread_spin_lock(&lock);
  counter = seen + 1;
  pthread_spin_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, increment, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  assert(counter == 2);
  puts("ok");
}
