// Main ends by pthread_exit; the other threads go on, and the last one ends the program.
//
// expect: passed
// within: random, 50 runs
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_t first;
static int turns;

static void take_turn(void) {
  pthread_mutex_lock(&lock);
  turns++;
  pthread_mutex_unlock(&lock);
}

static void* run_first(void* unused) {
  (void)unused;
  for (int i = 0; i < 3; i++) take_turn();
  return NULL;
}

static void* run_last(void* unused) {
  (void)unused;
  for (int i = 0; i < 3; i++) take_turn();
  pthread_join(first, NULL);
  assert(turns == 6);
  puts("ok");
  return NULL;
}

int main(void) {
  pthread_t last;
  pthread_create(&first, NULL, run_first, NULL);
  pthread_create(&last, NULL, run_last, NULL);
  pthread_detach(last);
  pthread_exit(NULL);
}
