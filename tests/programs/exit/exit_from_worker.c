// A worker that finds the configuration not loaded yet gives up the whole program with exit(2).
//
// expect: exit
// within: random, 100 runs
// bug: load, check, main
#define _GNU_SOURCE
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool loaded;

static void* load(void* unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  loaded = true;
  pthread_mutex_unlock(&lock);
  return NULL;
}

static void* check(void* unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  const bool usable = loaded;
  pthread_mutex_unlock(&lock);
  if (!usable) exit(2);
  return NULL;
}

int main(void) {
  pthread_t loader, checker;
  pthread_create(&loader, NULL, load, NULL);
  pthread_create(&checker, NULL, check, NULL);
  pthread_join(loader, NULL);
  pthread_join(checker, NULL);
  puts("ok");
}
