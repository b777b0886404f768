// In a program for nothing but POSIX signal() is another function: ignoring a broken pipe works,
// and a handler is reset before it runs.
//
// expect: passed
// within: random, 20 runs
#define _POSIX_C_SOURCE 200809L
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t handled;

static void note(int number) {
  (void)number;
  handled++;
}

static void* write_to_nobody(void* unused) {
  int ends[2];
  assert(pipe(ends) == 0);
  close(ends[0]);
  assert(write(ends[1], "x", 1) == -1 && errno == EPIPE);
  close(ends[1]);
  return unused;
}

int main(void) {
  assert(signal(SIGPIPE, SIG_IGN) == SIG_DFL);
  assert(signal(SIGUSR1, note) == SIG_DFL);
  pthread_t thread;
  assert(pthread_create(&thread, NULL, write_to_nobody, NULL) == 0);
  raise(SIGUSR1);
  assert(handled == 1);
  assert(signal(SIGUSR1, note) == SIG_DFL);
  pthread_join(thread, NULL);
}
