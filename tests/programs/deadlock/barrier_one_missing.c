// The thread that finds no work left goes home without passing the barrier of two.
//
// expect: deadlock
// within: random, 100 runs
// bug: take_job, work, cancel_job, main
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t barrier;
static int jobs = 2;

static int take_job(void) {
  pthread_mutex_lock(&lock);
  const int job = jobs > 0 ? jobs-- : 0;
  pthread_mutex_unlock(&lock);
  return job;
}

static void* work(void* unused) {
  (void)unused;
  if (take_job() == 0) return NULL;
  pthread_barrier_wait(&barrier);
  return NULL;
}

static void* cancel_job(void* unused) {
  (void)unused;
  take_job();
  return NULL;
}

int main(void) {
  pthread_barrier_init(&barrier, NULL, 2);
  pthread_t workers[2], canceller;
  for (int i = 0; i < 2; i++) pthread_create(&workers[i], NULL, work, NULL);
  pthread_create(&canceller, NULL, cancel_job, NULL);
  pthread_join(canceller, NULL);
  for (int i = 0; i < 2; i++) pthread_join(workers[i], NULL);
  puts("ok");
}
