// A worker leaves as soon as it sees that the pool stops, although a job is still queued.
//
// expect: assert
// within: random, 100 runs
// bug: work, main
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool stopping;
static int queued, done;

static void* work(void* unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  while (!stopping) {
    if (queued == 0) {
      pthread_cond_wait(&changed, &lock);
      continue;
    }
    queued--;
    done++;
  }
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t worker;
  pthread_create(&worker, NULL, work, NULL);

  pthread_mutex_lock(&lock);
  queued++;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);

  pthread_mutex_lock(&lock);
  stopping = true;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);

  pthread_join(worker, NULL);
  assert(done == 1);
  puts("ok");
}
