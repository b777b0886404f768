// Opposite order made safe: the second lock is only tried, and on failure the first is let go.
//
// expect: passed
// within: random, 50 runs
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;
static int both;

static void* take_a_then_b(void* unused) {
  (void)unused;
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  both++;
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  return NULL;
}

static void* take_b_try_a(void* unused) {
  (void)unused;
  pthread_mutex_lock(&b);
  while (pthread_mutex_trylock(&a) != 0) {
    pthread_mutex_unlock(&b);
    sched_yield();
    pthread_mutex_lock(&b);
  }
  both++;
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  return NULL;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, take_a_then_b, NULL);
  pthread_create(&second, NULL, take_b_try_a, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  assert(both == 2);
  puts("ok");
}
