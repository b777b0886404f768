// A node is marked as dead and given back while another thread has its address and looks.
//
// expect: assert
// within: random, 200 runs
// bug: drop, use
// flags: -fsanitize=thread
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct node {
  char payload[64];    // what free() writes into goes here
  volatile int alive;  // also right before the end of its life
};

static struct node* shared;

static void* drop(void* unused) {
  struct node* node = shared;
  shared = NULL;
  node->alive = 0;
  free(node);
  return unused;
}

static void* use(void* unused) {
  struct node* node = shared;
  if (node) assert(node->alive);
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
