// A thread notes the token of a request and looks later whether it still is the current one.
// It is the same number, but tokens are reused: the request behind it is another one (ABA).
//
// expect: assert
// within: random, 200 runs
// bug: claim, recycle
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int token = 1;
static int requests = 1;

static void* claim(void* unused) {
  (void)unused;
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock(&lock);
    const int noted_token = token;
    const int noted_request = requests;
    pthread_mutex_unlock(&lock);

    pthread_mutex_lock(&lock);
    if (token == noted_token) assert(requests == noted_request);
    pthread_mutex_unlock(&lock);
  }
  return NULL;
}

static void* recycle(void* unused) {
  (void)unused;
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock(&lock);
    token = 0;
    pthread_mutex_unlock(&lock);

    pthread_mutex_lock(&lock);
    token = 1;
    requests++;
    pthread_mutex_unlock(&lock);
  }
  return NULL;
}

int main(void) {
  pthread_t claimer, recycler;
  pthread_create(&claimer, NULL, claim, NULL);
  pthread_create(&recycler, NULL, recycle, NULL);
  pthread_join(claimer, NULL);
  pthread_join(recycler, NULL);
  puts("ok");
}
