// The reader waits at the pipe with the lock in hand that the writer needs first.
//
// expect: deadlock
// within: random, 100 runs
// bug: read_locked, write_locked, main
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static int ends[2];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void* read_locked(void* unused) {
  (void)unused;
  char c;
  pthread_mutex_lock(&lock);
  if (read(ends[0], &c, 1) != 1) puts("nothing");
  pthread_mutex_unlock(&lock);
  return NULL;
}

static void* write_locked(void* unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  if (write(ends[1], "x", 1) != 1) puts("nothing");
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  if (pipe(ends) != 0) return 0;
  pthread_t writer, reader;
  pthread_create(&writer, NULL, write_locked, NULL);
  pthread_create(&reader, NULL, read_locked, NULL);
  pthread_join(writer, NULL);
  pthread_join(reader, NULL);
  puts("ok");
}
