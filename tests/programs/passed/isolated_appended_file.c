// A file of the working directory is made before the first thread and appended to by two: each run
// finds it as the start left it.
//
// expect: passed
// within: random, 50 runs
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static const char* const name = "isolated_appended_file.log";
static FILE* opened;

static off_t size_of(const char* path) {
  struct stat status;
  return stat(path, &status) == 0 ? status.st_size : -1;
}

static void* append(void* unused) {
  (void)unused;
  FILE* file = fopen(name, "a");
  assert(file);
  fputs("thread\n", file);
  fclose(file);
  return NULL;
}

int main(void) {
  unlink(name);
  opened = fopen(name, "a+");
  assert(opened);
  fputs("start\n", opened);
  fflush(opened);

  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, append, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  assert(size_of(name) == 6 + 2 * 7);
  // What was opened before the first thread is still the same file.
  fputs("end\n", opened);
  fflush(opened);
  assert(size_of(name) == 6 + 2 * 7 + 4);
  puts("ok");
}
