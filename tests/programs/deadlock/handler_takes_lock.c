// The handler takes the lock that the thread which it interrupts may hold.
//
// expect: deadlock
// within: random, 100 runs
// bug: on_signal, work, main
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int entries;

static void on_signal(int signal) {
  (void)signal;
  pthread_mutex_lock(&lock);
  entries++;
  pthread_mutex_unlock(&lock);
}

static void* work(void* unused) {
  (void)unused;
  for (int i = 0; i < 3; i++) {
    pthread_mutex_lock(&lock);
    entries++;
    pthread_mutex_unlock(&lock);
  }
  return NULL;
}

int main(void) {
  signal(SIGUSR1, on_signal);
  pthread_t worker;
  pthread_create(&worker, NULL, work, NULL);
  pthread_kill(worker, SIGUSR1);
  pthread_join(worker, NULL);
  puts("ok");
}
