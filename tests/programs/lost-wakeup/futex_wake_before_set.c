// Main wakes the waiter first and sets the word afterwards: the waiter looks too early and
// sleeps for ever.
//
// expect: lost-wakeup
// within: random, 100 runs
// bug: wait_until_set, main
#define _GNU_SOURCE
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int word;

static void* wait_until_set(void* unused) {
  (void)unused;
  while (word == 0) syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, wait_until_set, NULL);
  syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
  word = 1;
  pthread_join(thread, NULL);
  puts("ok");
}
