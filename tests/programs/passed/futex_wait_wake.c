// The bare futex: wait while the word is still zero; wake after it was set.
//
// expect: passed
// within: random, 50 runs
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int word;

static long futex(int operation, int value) {
  return syscall(SYS_futex, &word, operation, value, NULL, NULL, 0);
}

static void* wait_until_set(void* unused) {
  (void)unused;
  while (word == 0) {
    const long result = futex(FUTEX_WAIT, 0);
    assert(result == 0 || errno == EAGAIN || errno == EINTR);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, wait_until_set, NULL);
  word = 1;
  const long woken = futex(FUTEX_WAKE, INT_MAX);
  assert(0 <= woken && woken <= 2);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  puts("ok");
}
