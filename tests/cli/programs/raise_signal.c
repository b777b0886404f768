// Handles a signal that it sends to itself, provided that it is not started with signals blocked.
#include <pthread.h>
#include <signal.h>

static volatile sig_atomic_t seen;

static void note(int signal) { seen = signal; }

static void* work(void* unused) { return unused; }

int main(void) {
  signal(SIGUSR1, note);
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  raise(SIGUSR1);
  pthread_join(thread, NULL);
  return seen == SIGUSR1 ? 0 : 5;
}
