// A thread keeps standard error locked while others print messages there: they wait for it, as they
// would wait for any lock.
//
// expect: passed
// within: random, 10 runs
#include <assert.h>
#include <err.h>
#include <errno.h>
#include <error.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static int inside;

static void* keep(void* unused) {
  (void)unused;
  for (int i = 0; i < 3; ++i) {
    flockfile(stderr);
    inside = 1;
    usleep(1000);
    inside = 0;
    funlockfile(stderr);
    usleep(1000);
  }
  return NULL;
}

static void* tell(void* unused) {
  (void)unused;
  errno = EAGAIN;
  warn("a number: %d and %.1f", 1, 2.5);
  assert(errno == EAGAIN && !inside);
  warnx("another: %s", "text");
  assert(!inside);
  error(0, ENOENT, "%s", "a file");
  assert(!inside);
  psignal(SIGUSR1, "a signal");
  assert(!inside);
  return NULL;
}

int main(void) {
  pthread_t keeper, teller;
  pthread_create(&keeper, NULL, keep, NULL);
  pthread_create(&teller, NULL, tell, NULL);
  pthread_join(keeper, NULL);
  pthread_join(teller, NULL);
  return 0;
}
