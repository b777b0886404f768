// FUTEX_WAKE_BITSET wakes only the waiters that share a bit with it.
//
// expect: passed
// within: random, 50 runs
#define _GNU_SOURCE
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int word;
static atomic_int allowed;

static void* wait_for_bit(void* bit) {
  const int mine = (int)(intptr_t)bit;
  syscall(SYS_futex, &word, FUTEX_WAIT_BITSET_PRIVATE, 0, NULL, NULL, mine);
  assert(allowed & mine);
  return NULL;
}

static void wake_one(int bit) {
  allowed |= bit;
  while (syscall(SYS_futex, &word, FUTEX_WAKE_BITSET_PRIVATE, 1, NULL, NULL, bit) == 0) {
    sched_yield();
  }
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, wait_for_bit, (void*)1);
  pthread_create(&second, NULL, wait_for_bit, (void*)2);
  wake_one(2);
  pthread_join(second, NULL);
  wake_one(1);
  pthread_join(first, NULL);
  puts("ok");
}
