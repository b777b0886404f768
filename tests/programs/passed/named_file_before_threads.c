// A file with a name, written by stdio before the first thread and appended to by it, is
// removed at the end.
//
// expect: passed
// within: random, 50 runs
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static FILE* file;

static void* append(void* unused) {
  (void)unused;
  fputs("second\n", file);
  fflush(file);
  return NULL;
}

int main(void) {
  char name[] = "/tmp/lines-XXXXXX";
  const int descriptor = mkstemp(name);
  assert(descriptor >= 0);
  file = fdopen(descriptor, "w+");
  fputs("first\n", file);

  pthread_t thread;
  pthread_create(&thread, NULL, append, NULL);
  pthread_join(thread, NULL);

  char text[32] = "";
  rewind(file);
  const size_t size = fread(text, 1, sizeof text - 1, file);
  assert(size == 13 && strcmp(text, "first\nsecond\n") == 0);
  fclose(file);
  unlink(name);
  puts("ok");
}
