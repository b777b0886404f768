// How often it locks depends on the processor's counter, which is not virtual.
#include <pthread.h>
#include <stdio.h>
#include <x86intrin.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void* work(void* unused) {
  const unsigned times = (unsigned)(__rdtsc() * 0x9e3779b97f4a7c15 >> 56);
  for (unsigned i = 0; i <= times; i++) {
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  pthread_join(thread, NULL);
  puts("counted");
}
