// FUTEX_CMP_REQUEUE wakes one, moves the rest, and does nothing if the word has changed.
//
// expect: passed
// within: random, 50 runs
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
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
  assert(syscall(SYS_futex, &from, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0) == 0);
  woken++;
  return NULL;
}

static long move_waiters(int wake, int expected) {
  return syscall(SYS_futex, &from, FUTEX_CMP_REQUEUE_PRIVATE, wake, (long)INT_MAX, &to, expected);
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, wait_on_first, NULL);

  assert(move_waiters(1, 7) == -1 && errno == EAGAIN);
  long reached = 0;
  while (reached == 0) {
    reached += move_waiters(1, 0);
    sched_yield();
  }
  while (reached < 3) {
    reached += move_waiters(0, 0);
    sched_yield();
  }
  assert(syscall(SYS_futex, &to, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0) == 2);

  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  assert(woken == 3);
  puts("ok");
}
