// A file with a fixed name in /tmp must not exist, and is made and left there.
//
// expect: passed
// within: random, 50 runs
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static const char* const name = "/tmp/unravel_isolated_temporary_file";
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int written;

static void* append(void* unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  FILE* file = fopen(name, "a");
  assert(file);
  fputs("line\n", file);
  fclose(file);
  written++;
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  unlink(name);  // of a run without unravel
  assert(access(name, F_OK) != 0 && errno == ENOENT);
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, append, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  FILE* file = fopen(name, "r");
  assert(file && fseek(file, 0, SEEK_END) == 0 && ftell(file) == 10 && written == 2);
  puts("ok");
}
