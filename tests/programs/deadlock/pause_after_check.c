// The flag is looked at, then pause() is called: a signal between the two is waited for in vain.
//
// expect: deadlock
// within: random, 100 runs
// bug: wait_for_flag, log_waiting, set_flag, main
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static volatile sig_atomic_t flag;
static sem_t seen;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void set_flag(int signal) {
  (void)signal;
  flag = 1;
}

static void log_waiting(void) {
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
}

static void* wait_for_flag(void* unused) {
  (void)unused;
  while (!flag) {
    log_waiting();
    pause();
  }
  sem_post(&seen);
  return NULL;
}

int main(void) {
  signal(SIGUSR1, set_flag);
  sem_init(&seen, 0, 0);
  pthread_t waiter;
  pthread_create(&waiter, NULL, wait_for_flag, NULL);
  pthread_kill(waiter, SIGUSR1);
  sem_wait(&seen);
  pthread_join(waiter, NULL);
  puts("ok");
}
