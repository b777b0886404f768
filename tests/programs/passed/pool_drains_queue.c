// A worker leaves only when the pool stops and its queue is empty: every job is done.
//
// expect: passed
// within: random, 50 runs
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
  while (queued > 0 || !stopping) {
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
  pthread_t workers[2];
  for (int i = 0; i < 2; i++) pthread_create(&workers[i], NULL, work, NULL);

  for (int job = 0; job < 3; job++) {
    pthread_mutex_lock(&lock);
    queued++;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
  }
  pthread_mutex_lock(&lock);
  stopping = true;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);

  for (int i = 0; i < 2; i++) pthread_join(workers[i], NULL);
  assert(done == 3);
  puts("ok");
}
