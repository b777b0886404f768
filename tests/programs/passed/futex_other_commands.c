// The futex commands that few programs use: waking with a change of another word, locks that
// inherit priority, waiting on several words, and bad arguments.
//
// expect: passed
// within: random, 50 runs
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static atomic_uint first, second, lock, condition, lock_of_condition;
static int counter, waiting;

static long futex(void* word, int command, unsigned value, void* timeout, void* other,
                  unsigned last) {
  return syscall(SYS_futex, word, command, value, timeout, other, last);
}

static void take(atomic_uint* word) {
  unsigned nobody = 0;
  if (atomic_compare_exchange_strong(word, &nobody, (unsigned)gettid())) return;
  assert(futex(word, FUTEX_LOCK_PI_PRIVATE, 0, NULL, NULL, 0) == 0);
}

static void give_back(atomic_uint* word) {
  unsigned own = (unsigned)gettid();
  if (atomic_compare_exchange_strong(word, &own, 0)) return;
  assert(futex(word, FUTEX_UNLOCK_PI_PRIVATE, 0, NULL, NULL, 0) == 0);
}

static void* add(void* unused) {
  for (int i = 0; i < 3; i++) {
    take(&lock);
    counter++;
    give_back(&lock);
  }
  return unused;
}

static void* wait_on(void* word) {
  while (atomic_load((atomic_uint*)word) == 0) {
    const long result = futex(word, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
    assert(result == 0 || errno == EAGAIN);
  }
  return NULL;
}

static void* wait_for_either(void* unused) {
  struct futex_waitv words[] = {
      {.val = 0, .uaddr = (uintptr_t)&first, .flags = FUTEX_32 | FUTEX_PRIVATE_FLAG},
      {.val = 0, .uaddr = (uintptr_t)&second, .flags = FUTEX_32 | FUTEX_PRIVATE_FLAG}};
  while (atomic_load(&second) == 0) {
    const long index = syscall(SYS_futex_waitv, words, 2, 0, NULL, CLOCK_MONOTONIC);
    assert(index == 0 || index == 1 || errno == EAGAIN);
    if (errno == EAGAIN && atomic_load(&first) != 0) break;
  }
  return unused;
}

static void* wait_for_condition(void* unused) {
  take(&lock_of_condition);
  const unsigned seen = atomic_load(&condition);
  waiting++;
  give_back(&lock_of_condition);
  const long result =
      futex(&condition, FUTEX_WAIT_REQUEUE_PI_PRIVATE, seen, NULL, &lock_of_condition, 0);
  assert(result == 0 || errno == EAGAIN);
  if (result != 0) take(&lock_of_condition);
  counter++;
  give_back(&lock_of_condition);
  return unused;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, add, NULL);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  assert(counter == 9);

  pthread_create(&threads[0], NULL, wait_on, (void*)&first);
  pthread_create(&threads[1], NULL, wait_on, (void*)&second);
  pthread_create(&threads[2], NULL, wait_for_either, NULL);
  atomic_store(&first, 1);
  // Sets the second word, whose old value is 0, and wakes on both.
  const unsigned change = FUTEX_OP(FUTEX_OP_SET, 5, FUTEX_OP_CMP_EQ, 0);
  assert(futex(&first, FUTEX_WAKE_OP_PRIVATE, 10, (void*)10, &second, change) >= 0);
  assert(atomic_load(&second) == 5);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);

  counter = 0;
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, wait_for_condition, NULL);
  take(&lock_of_condition);
  const unsigned next = atomic_fetch_add(&condition, 1) + 1;
  assert(futex(&condition, FUTEX_CMP_REQUEUE_PI_PRIVATE, 1, (void*)10, &lock_of_condition, next) >=
         0);
  give_back(&lock_of_condition);
  // Whoever came to wait only now sees the new value, and would wait for ever.
  for (int left = 2; left > 0;) {
    take(&lock_of_condition);
    left = 2 - counter;
    const unsigned now = atomic_fetch_add(&condition, 1) + 1;
    futex(&condition, FUTEX_CMP_REQUEUE_PI_PRIVATE, 1, (void*)10, &lock_of_condition, now);
    give_back(&lock_of_condition);
    sched_yield();
  }
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);

  take(&lock);
  assert(futex(&lock, FUTEX_LOCK_PI_PRIVATE, 0, NULL, NULL, 0) == -1 && errno == EDEADLK);
  assert(futex(&lock, FUTEX_TRYLOCK_PI_PRIVATE, 0, NULL, NULL, 0) == -1 && errno == EDEADLK);
  give_back(&lock);
  assert(futex(&lock, FUTEX_UNLOCK_PI_PRIVATE, 0, NULL, NULL, 0) == -1 && errno == EPERM);
  assert(futex(&first, FUTEX_WAIT_BITSET, 1, NULL, NULL, 0) == -1 && errno == EINVAL);
  assert(futex((char*)&first + 1, FUTEX_WAKE, 1, NULL, NULL, 0) == -1 && errno == EINVAL);
  assert(futex(NULL, FUTEX_WAIT, 1, NULL, NULL, 0) == -1 && errno == EFAULT);
  assert(futex(&first, FUTEX_WAIT | FUTEX_CLOCK_REALTIME, 1, NULL, NULL, 0) == -1);
  assert(errno == ENOSYS);
  assert(syscall(SYS_futex_waitv, NULL, 1, 0, NULL, 0) == -1 && errno == EINVAL);
  puts("ok");
}
