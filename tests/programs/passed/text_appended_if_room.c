// Two threads append to a text if there is room left, and look and append under one lock.
//
// expect: passed
// within: random, 50 runs
// flags: -fsanitize=thread
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { kMost = 8 };
static char text[2 * kMost];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void append(const char* more) {
  pthread_mutex_lock(&mutex);
  if (strlen(text) + strlen(more) <= kMost) strcat(text, more);
  pthread_mutex_unlock(&mutex);
}

static void* append_word(void* word) {
  append(word);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  strcpy(text, "a ");
  pthread_create(&threads[0], NULL, append_word, "book");
  pthread_create(&threads[1], NULL, append_word, "page");
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  assert(strlen(text) <= kMost);
  puts("ok");
}
