// How often it locks depends on random numbers of the processor. Needs one that has them.
// flags: -mrdrnd
#include <immintrin.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void* work(void* unused) {
  unsigned number = 0;
  _rdrand32_step(&number);
  for (unsigned i = 0; i <= number % 256; i++) {
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  pthread_join(thread, NULL);
  puts("drawn");
}
