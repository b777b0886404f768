// Opposite order again, with spin locks: two threads spin for each other's lock.
//
// expect: deadlock
// within: random, 100 runs
// bug: take_both, main
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>

static pthread_spinlock_t locks[2];

static void take_both(int first) {
  pthread_spin_lock(&locks[first]);
  pthread_spin_lock(&locks[1 - first]);
  pthread_spin_unlock(&locks[1 - first]);
  pthread_spin_unlock(&locks[first]);
}

static void* work(void* unused) {
  (void)unused;
  take_both(1);
  return NULL;
}

int main(void) {
  for (int i = 0; i < 2; i++) pthread_spin_init(&locks[i], PTHREAD_PROCESS_PRIVATE);
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  take_both(0);
  pthread_join(thread, NULL);
  puts("ok");
}
