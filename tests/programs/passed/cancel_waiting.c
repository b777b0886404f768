// Threads are cancelled in a condition wait, a semaphore wait, a sleep and a join. Clean-up
// handlers run, the wait's with its mutex locked again.
//
// expect: passed
// within: random, 100 runs
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static sem_t empty;
static pthread_t sleeper;
static int cleaned;

static void count(void* unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  cleaned++;
  pthread_mutex_unlock(&lock);
}

static void unlock(void* unused) {
  (void)unused;
  cleaned++;
  assert(pthread_mutex_unlock(&lock) == 0);
}

static void* wait_on_condition(void* unused) {
  pthread_mutex_lock(&lock);
  pthread_cleanup_push(unlock, NULL);
  for (;;) pthread_cond_wait(&never, &lock);
  pthread_cleanup_pop(1);
  return unused;
}

static void* wait_on_semaphore(void* unused) {
  pthread_cleanup_push(count, NULL);
  sem_wait(&empty);
  pthread_cleanup_pop(1);
  return unused;
}

static void* sleep_long(void* unused) {
  pthread_cleanup_push(count, NULL);
  for (;;) sleep(1000);
  pthread_cleanup_pop(1);
  return unused;
}

static void* wait_for_sleeper(void* unused) {
  pthread_cleanup_push(count, NULL);
  pthread_join(sleeper, NULL);
  pthread_cleanup_pop(1);
  return unused;
}

static void cancel(pthread_t thread) {
  void* result = NULL;
  assert(pthread_cancel(thread) == 0);
  assert(pthread_join(thread, &result) == 0);
  assert(result == PTHREAD_CANCELED);
}

int main(void) {
  sem_init(&empty, 0, 0);
  pthread_t waiter, taker, joiner;
  pthread_create(&sleeper, NULL, sleep_long, NULL);
  pthread_create(&joiner, NULL, wait_for_sleeper, NULL);
  pthread_create(&waiter, NULL, wait_on_condition, NULL);
  pthread_create(&taker, NULL, wait_on_semaphore, NULL);
  cancel(joiner);  // the thread that it waited for can still be joined
  cancel(waiter);
  cancel(taker);
  cancel(sleeper);
  assert(cleaned == 4);
  assert(pthread_mutex_trylock(&lock) == 0);
  puts("ok");
}
