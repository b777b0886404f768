// The log aborts (SIGABRT) when it is closed while somebody is still in the middle of an entry.
//
// expect: signal
// within: random, 100 runs
// bug: set_in_entry, write_entry, close_log, main
#define _GNU_SOURCE
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool in_entry;

static void set_in_entry(bool now) {
  pthread_mutex_lock(&lock);
  in_entry = now;
  pthread_mutex_unlock(&lock);
}

static void* write_entry(void* unused) {
  (void)unused;
  set_in_entry(true);
  set_in_entry(false);
  return NULL;
}

static void close_log(void) {
  pthread_mutex_lock(&lock);
  if (in_entry) abort();
  pthread_mutex_unlock(&lock);
}

int main(void) {
  pthread_t writer;
  pthread_create(&writer, NULL, write_entry, NULL);
  close_log();
  pthread_join(writer, NULL);
  puts("ok");
}
