// Two requests go through one flag: if the second is made before the first was seen, they
// become one, and the second server yields for ever.
//
// expect: livelock
// within: random, 100 runs
// bug: serve, request, main
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int requested;
static int requests;

static void* serve(void* unused) {
  (void)unused;
  while (!requested) sched_yield();
  requested = 0;
  return NULL;
}

static void request(void) {
  requested = 1;
  pthread_mutex_lock(&lock);
  requests++;
  pthread_mutex_unlock(&lock);
}

int main(void) {
  pthread_t servers[2];
  for (int i = 0; i < 2; i++) pthread_create(&servers[i], NULL, serve, NULL);
  request();
  request();
  for (int i = 0; i < 2; i++) pthread_join(servers[i], NULL);
  puts("ok");
}
