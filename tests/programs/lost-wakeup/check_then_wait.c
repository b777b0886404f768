// The predicate is checked in one critical section and waited for in the next: the change and
// its signal may fall between the two.
//
// expect: lost-wakeup
// within: random, 100 runs
// bug: is_ready, wait_until_ready, main
#define _GNU_SOURCE
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool ready;

static bool is_ready(void) {
  pthread_mutex_lock(&lock);
  const bool now = ready;
  pthread_mutex_unlock(&lock);
  return now;
}

static void* wait_until_ready(void* unused) {
  (void)unused;
  if (!is_ready()) {
    pthread_mutex_lock(&lock);
    pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
  }
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, wait_until_ready, NULL);
  pthread_mutex_lock(&lock);
  ready = true;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);
  pthread_join(thread, NULL);
  puts("ok");
}
