// The log is rotated when it is full, and rotating takes the lock that the caller holds.
// Whether it is ever full depends on how far the reader got.
//
// expect: deadlock
// within: random, 100 runs
// bug: log_line, rotate, read_log, main
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int lines = 1;

static void rotate(void) {
  pthread_mutex_lock(&lock);
  lines = 0;
  pthread_mutex_unlock(&lock);
}

static void log_line(void) {
  pthread_mutex_lock(&lock);
  lines++;
  if (lines == 2) rotate();
  pthread_mutex_unlock(&lock);
}

static void* write_log(void* unused) {
  (void)unused;
  log_line();
  return NULL;
}

static void* read_log(void* unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  lines = 0;
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t reader, writer;
  pthread_create(&reader, NULL, read_log, NULL);
  pthread_create(&writer, NULL, write_log, NULL);
  pthread_join(reader, NULL);
  pthread_join(writer, NULL);
  puts("ok");
}
