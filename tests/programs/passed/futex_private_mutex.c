// A mutex made of a private futex: 0 is free, 1 taken, 2 taken with waiters.
//
// expect: passed
// within: random, 50 runs
#define _GNU_SOURCE
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int word;
static int counter;

static void lock(void) {
  int seen = 0;
  if (atomic_compare_exchange_strong(&word, &seen, 1)) return;
  while (atomic_exchange(&word, 2) != 0) {
    syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 2, NULL, NULL, 0);
  }
}

static void unlock(void) {
  if (atomic_exchange(&word, 0) == 2) {
    syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
  }
}

static void* add_two(void* unused) {
  (void)unused;
  for (int i = 0; i < 2; i++) {
    lock();
    const int seen = counter;
    sched_yield();
    counter = seen + 1;
    unlock();
  }
  return NULL;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, add_two, NULL);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  assert(counter == 6);
  puts("ok");
}
