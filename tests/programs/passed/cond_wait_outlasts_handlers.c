// pthread_cond_wait and its timed form go on waiting after a signal handler: without a signal to
// the condition variable libc's do not return.
//
// expect: passed
// within: random, 60 runs
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>

enum { kSignals = 5 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int waiting;
static int ready;
static volatile sig_atomic_t handled;

static void note(int signal) {
  (void)signal;
  ++handled;
}

static void* wait_once(void* unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  waiting = 1;
  assert(pthread_cond_wait(&changed, &lock) == 0);
  assert(ready == 1);
  struct timespec late;
  clock_gettime(CLOCK_REALTIME, &late);
  late.tv_sec += 10000;
  waiting = 2;
  assert(pthread_cond_timedwait(&changed, &lock, &late) == 0);
  assert(ready == 2);
  pthread_mutex_unlock(&lock);
  return NULL;
}

static void disturb_then_signal(pthread_t waiter, int round) {
  pthread_mutex_lock(&lock);
  while (waiting != round) {
    pthread_mutex_unlock(&lock);
    sched_yield();
    pthread_mutex_lock(&lock);
  }
  for (int i = 0; i < kSignals; ++i) {
    assert(pthread_kill(waiter, SIGUSR1) == 0);
    pthread_mutex_unlock(&lock);
    sched_yield();
    pthread_mutex_lock(&lock);
  }
  ready = round;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);
}

int main(void) {
  struct sigaction action = {.sa_handler = note};
  assert(sigaction(SIGUSR1, &action, NULL) == 0);
  pthread_t waiter;
  pthread_create(&waiter, NULL, wait_once, NULL);
  disturb_then_signal(waiter, 1);
  disturb_then_signal(waiter, 2);
  pthread_join(waiter, NULL);
  assert(handled >= 1);
  puts("ok");
}
