// How often it locks depends on the processor's counter of cycles, which nobody controls.
#include <pthread.h>
#include <x86intrin.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void* work(void* unused) {
  const unsigned long long cycles = __rdtsc() >> 4;
  for (unsigned i = 0; i <= cycles % 10007; i++) {
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  pthread_join(thread, NULL);
}
