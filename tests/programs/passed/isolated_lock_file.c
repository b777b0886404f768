// A lock file is made with O_EXCL and left behind: the next run must not find it.
//
// expect: passed
// within: random, 50 runs
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static const char* const name = "isolated_lock_file.lock";
static int taken;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void* take(void* unused) {
  (void)unused;
  const int file = open(name, O_CREAT | O_EXCL | O_WRONLY, 0600);
  if (file < 0) return NULL;
  close(file);
  pthread_mutex_lock(&lock);
  taken++;
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  unlink(name);  // of a run without unravel
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, take, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  assert(taken == 1);
  puts("ok");
}
