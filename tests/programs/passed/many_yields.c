// A thread yields a hundred thousand times and gets a little further each time, once by what it has
// in a register and once by what it has in memory. The other one waits for it.
//
// expect: passed
// within: random, 50 runs
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdio.h>

static int done;

static void* work(void* unused) {
  (void)unused;
  for (int i = 0; i < 50000; i++) sched_yield();
  while (done < 50000) {
    done++;
    sched_yield();
  }
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  pthread_join(thread, NULL);
  puts("ok");
}
