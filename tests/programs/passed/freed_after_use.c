// A node is marked as dead and given back under the lock under which it is used.
//
// expect: passed
// within: random, 50 runs
// flags: -fsanitize=thread
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct node {
  char payload[64];
  int alive;
};

static struct node* shared;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* drop(void* unused) {
  pthread_mutex_lock(&mutex);
  struct node* node = shared;
  shared = NULL;
  node->alive = 0;
  free(node);
  pthread_mutex_unlock(&mutex);
  return unused;
}

static void* use(void* unused) {
  pthread_mutex_lock(&mutex);
  struct node* node = shared;
  if (node) assert(node->alive);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t dropper, user;
  shared = calloc(1, sizeof(*shared));
  shared->alive = 1;
  pthread_create(&dropper, NULL, drop, NULL);
  pthread_create(&user, NULL, use, NULL);
  pthread_join(dropper, NULL);
  pthread_join(user, NULL);
  puts("ok");
}
