// Two threads append to a text if there is room left, and both look before either has appended.
//
// expect: assert
// within: random, 200 runs
// bug: append
// flags: -fsanitize=thread
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { kMost = 8 };
static char text[2 * kMost];

static void append(const char* more) {
  if (strlen(text) + strlen(more) <= kMost) strcat(text, more);
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
