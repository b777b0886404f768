// FUTEX_REQUEUE moves the waiters of one word to another, where they are woken.
//
// expect: passed
// within: random, 50 runs
#define _GNU_SOURCE
#include <assert.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int from, to;
static atomic_int woken;

static void* wait_on_first(void* unused) {
  (void)unused;
  assert(syscall(SYS_futex, &from, FUTEX_WAIT, 0, NULL, NULL, 0) == 0);
  woken++;
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, wait_on_first, NULL);

  for (long left = 2; left > 0;) {
    assert(syscall(SYS_futex, &from, FUTEX_REQUEUE, 0, (long)INT_MAX, &to, 0) >= 0);
    left -= syscall(SYS_futex, &to, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
    sched_yield();
  }
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  assert(woken == 2);
  puts("ok");
}
