// Lines are put together under flockfile while other threads write to the same stream.
//
// expect: passed
// within: random, 100 runs
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static FILE* stream;
static pthread_mutex_t unrelated = PTHREAD_MUTEX_INITIALIZER;

static void* write_in_parts(void* unused) {
  (void)unused;
  for (int i = 0; i < 2; i++) {
    flockfile(stream);
    fputs("one ", stream);
    pthread_mutex_lock(&unrelated);  // others may go on meanwhile, but not into our line
    pthread_mutex_unlock(&unrelated);
    flockfile(stream);
    fprintf(stream, "%s ", "two");
    funlockfile(stream);
    putc_unlocked('\n', stream);
    funlockfile(stream);
  }
  return NULL;
}

static void* write_whole(void* unused) {
  (void)unused;
  fprintf(stream, "%s\n", "whole");
  fputs("whole\n", stream);
  fwrite("whole\n", 1, 6, stream);
  fflush(stream);
  if (ftrylockfile(stream) == 0) {
    fputs("whole", stream);
    pthread_mutex_lock(&unrelated);
    pthread_mutex_unlock(&unrelated);
    fputc('\n', stream);
    funlockfile(stream);
  }
  return NULL;
}

int main(void) {
  stream = fmemopen(NULL, 4096, "w+");
  assert(stream);
  pthread_t threads[4];
  for (int i = 0; i < 4; i++) {
    pthread_create(&threads[i], NULL, i < 2 ? write_in_parts : write_whole, NULL);
  }
  for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);

  rewind(stream);
  int lines = 0;
  for (char line[64]; fgets(line, sizeof(line), stream); lines++) {
    assert(strcmp(line, "one two \n") == 0 || strcmp(line, "whole\n") == 0);
  }
  assert(lines >= 10 && lines <= 12);
  fclose(stream);
  puts("ok");
}
