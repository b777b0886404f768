// The handle is stored before the thread that uses it is created.
//
// expect: passed
// within: random, 50 runs
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

struct connection {
  int requests;
};

static struct connection* handle;

static void* serve(void* unused) {
  (void)unused;
  handle->requests++;
  return NULL;
}

int main(void) {
  static struct connection connection;
  pthread_t thread;
  handle = &connection;
  pthread_create(&thread, NULL, serve, NULL);
  pthread_join(thread, NULL);
  assert(connection.requests == 1);
  puts("ok");
}
