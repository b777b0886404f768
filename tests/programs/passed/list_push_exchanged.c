// Two threads push to the front of a list that may have changed meanwhile; a third takes all.
//
// expect: passed
// within: random, 50 runs
// flags: -fsanitize=thread -O1
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>

struct node {
  struct node* next;
};

static struct node* front;

static void* push(void* argument) {
  struct node* node = argument;
  node->next = __atomic_load_n(&front, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(&front, &node->next, node, 1, __ATOMIC_RELEASE,
                                      __ATOMIC_RELAXED))
    continue;
  return NULL;
}

static int take_all(void) {
  int taken = 0;
  for (struct node* at = __atomic_exchange_n(&front, NULL, __ATOMIC_ACQUIRE); at; at = at->next)
    taken++;
  return taken;
}

int main(void) {
  struct node nodes[2];
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, push, &nodes[i]);
  int taken = 0;
  while (taken < 2) taken += take_all();
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  assert(front == NULL);
  puts("ok");
}
