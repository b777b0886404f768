// A thread waits for another by locking, looking and unlocking in a loop, or by sleeping for no
// time. The other one must get its turn.
//
// expect: passed
// within: random, 50 runs
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int stage;

static int get(void) {
  pthread_mutex_lock(&lock);
  const int now = stage;
  pthread_mutex_unlock(&lock);
  return now;
}

static void set(int value) {
  pthread_mutex_lock(&lock);
  stage = value;
  pthread_mutex_unlock(&lock);
}

static void* answer(void* unused) {
  (void)unused;
  set(1);
  while (get() != 2) usleep(0);
  set(3);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, answer, NULL);
  while (get() != 1) {
  }
  set(2);
  while (get() != 3) {
  }
  pthread_join(thread, NULL);
  puts("ok");
}
