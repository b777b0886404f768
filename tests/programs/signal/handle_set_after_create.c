// The thread uses a handle that its creator stores only after creating it.
//
// expect: signal
// within: random, 100 runs
// bug: serve, main
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>

struct connection {
  int requests;
};

static struct connection* volatile handle;

static void* serve(void* unused) {
  (void)unused;
  handle->requests++;
  return NULL;
}

int main(void) {
  static struct connection connection;
  pthread_t thread;
  pthread_create(&thread, NULL, serve, NULL);
  handle = &connection;
  pthread_join(thread, NULL);
  puts("ok");
}
