// Read and write of the counter are in one critical section: no update is lost.
//
// expect: passed
// within: random, 50 runs
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance;

static void* deposit(void* unused) {
  (void)unused;
  for (int i = 0; i < 3; i++) {
    pthread_mutex_lock(&lock);
    const int seen = balance;
    balance = seen + 1;
    pthread_mutex_unlock(&lock);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, deposit, NULL);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  assert(balance == 9);
  puts("ok");
}
