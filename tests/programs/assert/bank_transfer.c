// The balance is checked first and charged later: two withdrawals overdraw the account.
//
// expect: assert
// within: random, 100 runs
// bug: can_pay, withdraw
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance = 100;

static bool can_pay(int amount) {
  pthread_mutex_lock(&lock);
  const bool enough = balance >= amount;
  pthread_mutex_unlock(&lock);
  return enough;
}

static void withdraw(int amount) {
  if (!can_pay(amount)) return;
  pthread_mutex_lock(&lock);
  balance -= amount;
  pthread_mutex_unlock(&lock);
}

static void* withdraw_most(void* unused) {
  (void)unused;
  withdraw(70);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, withdraw_most, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  assert(balance >= 0);
  puts("ok");
}
