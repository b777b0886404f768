// Two threads pay into one account. Each reads the balance in one critical section and writes it in
// the next, so that an update can be lost.
//
// ANEW: the same bug in another build, behind more critical sections. MENDED: without the bug.
// A variable CAREFUL, or a file `careful` where it is started, keeps any build from losing an
// update.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance;
static bool is_careful;

#ifdef ANEW
static int looks;

static void look(void) {
  pthread_mutex_lock(&lock);
  looks++;
  pthread_mutex_unlock(&lock);
}
#endif

static void* deposit(void* unused) {
#ifdef ANEW
  for (int i = 0; i < 4; i++) look();
#endif
  pthread_mutex_lock(&lock);
  const int seen = balance;
#ifndef MENDED
  if (!is_careful) {
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
  }
#endif
  balance = seen + 1;
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  is_careful = getenv("CAREFUL") || access("careful", F_OK) == 0;
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, deposit, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  puts("counted");
  assert(balance == 2);
}
