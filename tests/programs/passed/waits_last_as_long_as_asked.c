// Waits of a tenth of a second last at least that long by either clock, however the deadline was
// made, and two clocks that are read one after the other agree.
//
// expect: passed
// within: random, 50 runs
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <time.h>

static long long read_clock(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static struct timespec in_a_tenth(void) {
  struct timespec end;
  clock_gettime(CLOCK_REALTIME, &end);
  end.tv_nsec += 100000000;
  end.tv_sec += end.tv_nsec / 1000000000;
  end.tv_nsec %= 1000000000;
  return end;
}

static void* wait_for_nothing(void* unused) {
  (void)unused;
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t never = PTHREAD_COND_INITIALIZER;
  sem_t none;
  sem_init(&none, 0, 0);
  for (int i = 0; i < 3; i++) {
    struct timespec end = in_a_tenth();
    for (int reads = 0; reads < 5; reads++) read_clock(CLOCK_MONOTONIC);
    const long long began = read_clock(CLOCK_MONOTONIC);
    if (i == 0) {
      pthread_mutex_lock(&lock);
      assert(pthread_cond_timedwait(&never, &lock, &end) == ETIMEDOUT);
      pthread_mutex_unlock(&lock);
    } else if (i == 1) {
      assert(sem_timedwait(&none, &end) == -1 && errno == ETIMEDOUT);
    } else {
      poll(NULL, 0, 100);
    }
    assert(read_clock(CLOCK_MONOTONIC) - began >= 100000000);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, wait_for_nothing, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  // A busy machine may take a while between two reads, but not between any two of a hundred.
  long long nearest = 1000000000;
  for (int i = 0; i < 100; i++) {
    const long long ahead = read_clock(CLOCK_REALTIME) - read_clock(CLOCK_MONOTONIC);
    const long long again = read_clock(CLOCK_REALTIME) - read_clock(CLOCK_MONOTONIC);
    const long long drift = ahead > again ? ahead - again : again - ahead;
    if (drift < nearest) nearest = drift;
  }
  assert(nearest < 1000000);
  puts("ok");
}
