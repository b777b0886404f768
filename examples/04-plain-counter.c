// Two threads count without a lock. Between reading the counter and writing it back there is no
// synchronisation call: only a program that is compiled with hooks at memory accesses can be
// switched there.
//
//   gcc -g -fsanitize=thread examples/04-plain-counter.c -o plain-counter
//   unravel hunt -- ./plain-counter
#include <assert.h>
#include <pthread.h>

static int counter;

static void* count(void* unused) {
  counter++;
  return unused;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, count, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  assert(counter == 2);
}
