// Makes as many threads as its argument says, all alive at once.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void* wait(void* unused) {
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(int argc, char** argv) {
  const int count = argc > 1 ? atoi(argv[1]) : 2;
  pthread_t* threads = malloc((size_t)count * sizeof(pthread_t));
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 65536);
  pthread_mutex_lock(&lock);
  for (int i = 0; i < count; i++) {
    assert(pthread_create(&threads[i], &attributes, wait, NULL) == 0);
  }
  pthread_mutex_unlock(&lock);
  for (int i = 0; i < count; i++) pthread_join(threads[i], NULL);
  free(threads);
}
