// A wait with no patience at all: that it ended is taken for a reply, although it timed out.
//
// expect: assert
// within: random, 100 runs
// bug: send_reply, get_reply, main
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t replied = PTHREAD_COND_INITIALIZER;
static bool reply;

static void* send_reply(void* unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  reply = true;
  pthread_cond_signal(&replied);
  pthread_mutex_unlock(&lock);
  return NULL;
}

static void get_reply(void) {
  struct timespec deadline;
  clock_gettime(CLOCK_REALTIME, &deadline);
  pthread_mutex_lock(&lock);
  if (!reply) pthread_cond_timedwait(&replied, &lock, &deadline);
  assert(reply);
  pthread_mutex_unlock(&lock);
}

int main(void) {
  pthread_t sender;
  pthread_create(&sender, NULL, send_reply, NULL);
  get_reply();
  pthread_join(sender, NULL);
  puts("ok");
}
