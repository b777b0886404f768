// The balance is read in one critical section and written in the next: an update is lost.
//
// expect: assert
// within: random, 100 runs
// bug: deposit
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance;

static void* deposit(void* unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  const int seen = balance;
  pthread_mutex_unlock(&lock);

  pthread_mutex_lock(&lock);
  balance = seen + 1;
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, deposit, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  assert(balance == 2);
  puts("ok");
}
