// The average is asked for before the first sample is in: a division by zero (SIGFPE).
//
// expect: signal
// within: random, 100 runs
// bug: add_sample, average, main
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int sum, samples;

static void* add_sample(void* unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  sum += 10;
  samples++;
  pthread_mutex_unlock(&lock);
  return NULL;
}

static int average(void) {
  pthread_mutex_lock(&lock);
  const int result = sum / samples;
  pthread_mutex_unlock(&lock);
  return result;
}

int main(void) {
  pthread_t sampler;
  pthread_create(&sampler, NULL, add_sample, NULL);
  printf("%d\n", average());
  pthread_join(sampler, NULL);
}
