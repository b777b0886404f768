// Five hundred threads are alive at once.
//
// expect: passed
// within: stay, 5 runs
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

enum { kThreads = 500 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t all_here = PTHREAD_COND_INITIALIZER;
static int here;

static void* work(void* unused) {
  pthread_mutex_lock(&lock);
  here++;
  if (here == kThreads) pthread_cond_broadcast(&all_here);
  while (here < kThreads) pthread_cond_wait(&all_here, &lock);
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 64 * 1024);
  pthread_t threads[kThreads];
  for (int i = 0; i < kThreads; i++) assert(pthread_create(&threads[i], &small, work, NULL) == 0);
  for (int i = 0; i < kThreads; i++) assert(pthread_join(threads[i], NULL) == 0);
  puts("ok");
}
