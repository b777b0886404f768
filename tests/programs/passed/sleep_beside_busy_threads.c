// Two threads lock and unlock until a third, which sleeps for a second, tells them to stop. The
// sleep has to end although they could go on for ever.
//
// expect: passed
// within: random, 50 runs
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int stop;
static long rounds;

static void* work(void* unused) {
  (void)unused;
  while (!stop) {
    pthread_mutex_lock(&lock);
    rounds++;
    pthread_mutex_unlock(&lock);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, NULL);
  sleep(1);
  stop = 1;
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  puts("ok");
}
