// How often it locks depends on where an object lies.
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void* work(void* object) {
  const uint64_t hash = ((uintptr_t)object >> 12) * 0x9e3779b97f4a7c15 >> 56;
  for (uint64_t i = 0; i <= hash; i++) {
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  void* object = malloc(1);
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, object);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  free(object);
  puts("hashed");
}
