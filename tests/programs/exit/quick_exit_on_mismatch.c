// The total is checked by hand: if an update was lost the program leaves by _exit(4).
//
// expect: exit
// within: random, 100 runs
// bug: count
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <unistd.h>

static sem_t permit;
static int total;

static void* count(void* unused) {
  (void)unused;
  sem_wait(&permit);
  const int seen = total;
  sem_post(&permit);
  sem_wait(&permit);
  total = seen + 1;
  sem_post(&permit);
  return NULL;
}

int main(void) {
  sem_init(&permit, 0, 1);
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, count, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  if (total != 2) _exit(4);
  puts("ok");
}
