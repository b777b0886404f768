// Two threads push to the front of a list in plain steps: one node is lost.
//
// expect: assert
// within: random, 200 runs
// bug: push
// flags: -fsanitize=thread -O1
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

struct node {
  struct node* next;
};

static struct node* front;

static void* push(void* argument) {
  struct node* node = argument;
  node->next = front;
  front = node;
  return NULL;
}

int main(void) {
  struct node nodes[2];
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, push, &nodes[i]);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  assert(front->next != NULL);
  puts("ok");
}
