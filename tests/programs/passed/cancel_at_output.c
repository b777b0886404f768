// Output to a stream without a buffer is a cancellation point, whatever its descriptor is, also
// with one thread only; output that stays in a buffer is none.
//
// expect: passed
// within: random, 20 runs
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static FILE* stream;

static void* print(void* done) {
  pthread_cancel(pthread_self());
  fprintf(stream, "%d\n", 1);
  *(int*)done = 1;
  pthread_testcancel();
  return NULL;
}

static int is_done_after(int buffering) {
  stream = fopen("/dev/null", "w");
  assert(stream && setvbuf(stream, NULL, buffering, BUFSIZ) == 0);
  int done = 0;
  pthread_t printer;
  assert(pthread_create(&printer, NULL, print, &done) == 0);
  void* result = NULL;
  assert(pthread_join(printer, &result) == 0);
  assert(result == PTHREAD_CANCELED);
  fclose(stream);
  return done;
}

static void end_well(void* unused) {
  (void)unused;
  puts("ok");
  fflush(stdout);
  _Exit(0);
}

int main(void) {
  assert(!is_done_after(_IONBF));
  assert(is_done_after(_IOFBF));
  // What main does itself, too.
  pthread_cleanup_push(end_well, NULL);
  pthread_cancel(pthread_self());
  setbuf(stderr, NULL);
  fputs("not cancelled\n", stderr);
  pthread_cleanup_pop(0);
  return 1;
}
