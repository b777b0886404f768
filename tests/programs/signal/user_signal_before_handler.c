// The worker installs the handler; main does not wait for that before it sends the signal, whose
// default action ends the program.
//
// expect: signal
// within: random, 100 runs
// bug: install, main
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void note(int signal) { (void)signal; }

static void* install(void* unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  signal(SIGUSR1, note);
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t worker;
  pthread_create(&worker, NULL, install, NULL);
  pthread_kill(worker, SIGUSR1);
  pthread_join(worker, NULL);
  puts("ok");
}
