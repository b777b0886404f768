// Threads jump back over locks, waits and sleeps with longjmp.
//
// expect: passed
// within: random, 50 runs
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void add_and_jump(jmp_buf* back, int round) {
  pthread_mutex_lock(&lock);
  counter++;
  pthread_mutex_unlock(&lock);
  usleep(10);
  longjmp(*back, round);
}

static void* work(void* unused) {
  jmp_buf back;
  volatile int round = 0;
  setjmp(back);
  round++;
  if (round <= 3) add_and_jump(&back, round);
  return unused;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  assert(counter == 9);
  puts("ok");
}
