// Two transfers between the same two accounts, in opposite directions, each locking first the
// account that it takes from: they can wait for each other for ever.
//
//   gcc -g -pthread 02-lock-order.c -o lock-order
//   unravel hunt --jobs 1 --seed 1 -- ./lock-order
//   unravel show
#include <pthread.h>

struct account {
  pthread_mutex_t lock;
  int balance;
};

static struct account savings = {PTHREAD_MUTEX_INITIALIZER, 100};
static struct account checking = {PTHREAD_MUTEX_INITIALIZER, 100};

static void transfer(struct account* from, struct account* to, int amount) {
  pthread_mutex_lock(&from->lock);
  pthread_mutex_lock(&to->lock);
  from->balance -= amount;
  to->balance += amount;
  pthread_mutex_unlock(&to->lock);
  pthread_mutex_unlock(&from->lock);
}

static void* pay_bills(void* unused) {
  transfer(&savings, &checking, 30);
  return unused;
}

int main(void) {
  pthread_t bills;
  pthread_create(&bills, NULL, pay_bills, NULL);
  transfer(&checking, &savings, 10);
  pthread_join(bills, NULL);
  return 0;
}
