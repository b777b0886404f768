// Two threads spin until main, which sleeps in between, has seen both: their vain attempts must not
// keep the sleep from ending.
//
// expect: passed
// within: random, 2 runs
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int arrived;
static atomic_int go;

static void* spin(void* unused) {
  atomic_fetch_add(&arrived, 1);
  while (!atomic_load(&go)) {
  }
  return unused;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, spin, NULL);
  while (atomic_load(&arrived) < 2) usleep(50);
  atomic_store(&go, 1);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return 0;
}
