// Two threads add to a counter under a lock: passes under every schedule. With an argument it
// ends with that exit status.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void* add(void* unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  counter++;
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(int argc, char** argv) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, add, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  printf("counted %d\n", counter);
  return argc > 1 ? atoi(argv[1]) : 0;
}
