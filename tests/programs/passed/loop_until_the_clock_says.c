// Two threads work until ten seconds have passed by the clock: one looks at nothing else, the other
// takes a lock in every round.
//
// expect: passed
// within: random, 50 runs
#include <pthread.h>
#include <stdio.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long rounds;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void* look(void* unused) {
  (void)unused;
  const double end = now() + 10;
  while (now() < end) {
  }
  return NULL;
}

static void* work(void* unused) {
  (void)unused;
  const double end = now() + 10;
  while (now() < end) {
    pthread_mutex_lock(&lock);
    rounds++;
    pthread_mutex_unlock(&lock);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, look, NULL);
  pthread_create(&threads[1], NULL, work, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  puts("ok");
}
