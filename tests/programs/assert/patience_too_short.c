// The reply takes as long as the wait for it lasts: whether the time-out comes first is chance,
// and the code trusts that it does not.
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
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t replied = PTHREAD_COND_INITIALIZER;
static bool reply;

static void* send_reply(void* unused) {
  (void)unused;
  usleep(10000);
  pthread_mutex_lock(&lock);
  reply = true;
  pthread_cond_signal(&replied);
  pthread_mutex_unlock(&lock);
  return NULL;
}

static void get_reply(void) {
  struct timespec deadline;
  clock_gettime(CLOCK_REALTIME, &deadline);
  deadline.tv_nsec += 10000000;
  if (deadline.tv_nsec >= 1000000000) {
    deadline.tv_sec++;
    deadline.tv_nsec -= 1000000000;
  }
  pthread_mutex_lock(&lock);
  int error = 0;
  while (!reply && error == 0) error = pthread_cond_timedwait(&replied, &lock, &deadline);
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
