// Futex waits that nobody ends: FUTEX_WAIT for a while, FUTEX_WAIT_BITSET until a moment.
//
// expect: passed
// within: random, 50 runs
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static atomic_int word;

static void* time_out(void* unused) {
  (void)unused;
  const struct timespec pause = {.tv_sec = 0, .tv_nsec = 5000000};
  assert(syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, &pause, NULL, 0) == -1);
  assert(errno == ETIMEDOUT);

  struct timespec until;
  clock_gettime(CLOCK_MONOTONIC, &until);
  until.tv_sec += 1;
  assert(syscall(SYS_futex, &word, FUTEX_WAIT_BITSET_PRIVATE, 0, &until, NULL,
                 FUTEX_BITSET_MATCH_ANY) == -1);
  assert(errno == ETIMEDOUT);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, time_out, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  puts("ok");
}
