// Each of three threads joins the next one if that has arrived already: if all have, nobody ends.
//
// expect: deadlock
// within: random, 100 runs
// bug: work
#define _GNU_SOURCE
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t all_created;
static pthread_t threads[3];
static bool arrived[3];

static void* work(void* number) {
  const intptr_t me = (intptr_t)number;
  const intptr_t next = (me + 1) % 3;
  pthread_barrier_wait(&all_created);

  pthread_mutex_lock(&lock);
  arrived[me] = true;
  pthread_mutex_unlock(&lock);

  pthread_mutex_lock(&lock);
  const bool must_join = arrived[next];
  pthread_mutex_unlock(&lock);
  if (must_join) pthread_join(threads[next], NULL);
  return NULL;
}

int main(void) {
  pthread_barrier_init(&all_created, NULL, 4);
  for (intptr_t i = 0; i < 3; i++) pthread_create(&threads[i], NULL, work, (void*)i);
  pthread_barrier_wait(&all_created);
  pthread_exit(NULL);
}
