// Threads that wait in read, poll and waitpid are cancelled there.
//
// expect: passed
// within: random, 30 runs
#define _GNU_SOURCE
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static int silent[2];
static _Atomic int cleaned;

static void clean(void* unused) {
  (void)unused;
  cleaned++;
}

static void* read_silence(void* unused) {
  char byte;
  pthread_cleanup_push(clean, NULL);
  if (read(silent[0], &byte, 1) >= 0) return unused;
  pthread_cleanup_pop(0);
  return NULL;
}

static void* poll_silence(void* unused) {
  struct pollfd wish = {.fd = silent[0], .events = POLLIN};
  pthread_cleanup_push(clean, NULL);
  if (poll(&wish, 1, -1) >= 0) return unused;
  pthread_cleanup_pop(0);
  return NULL;
}

int main(void) {
  assert(pipe(silent) == 0);
  pthread_t reader, poller;
  assert(pthread_create(&reader, NULL, read_silence, &reader) == 0);
  assert(pthread_create(&poller, NULL, poll_silence, &poller) == 0);
  usleep(10);
  assert(pthread_cancel(reader) == 0);
  assert(pthread_cancel(poller) == 0);
  void* result = NULL;
  assert(pthread_join(reader, &result) == 0 && result == PTHREAD_CANCELED);
  assert(pthread_join(poller, &result) == 0 && result == PTHREAD_CANCELED);
  assert(cleaned == 2);
}
