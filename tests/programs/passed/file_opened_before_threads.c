// A file is opened and half read before the first thread; the threads read on from there.
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

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int file;
static char letters[5];

static void* read_letter(void* unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  assert(read(file, letters + strlen(letters), 1) == 1);
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  char name[] = "/tmp/letters-XXXXXX";
  file = mkstemp(name);
  assert(file >= 0);
  unlink(name);
  assert(write(file, "abcd", 4) == 4);
  lseek(file, 0, SEEK_SET);
  assert(read(file, letters, 2) == 2);

  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, read_letter, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  assert(strcmp(letters, "abcd") == 0);
  puts("ok");
}
