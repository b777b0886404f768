// Puts itself into the background, as daemons do, and goes on there for ever; with an argument only
// once it has a thread.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static void* work(void* unused) { return unused; }

static void run_thread(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  pthread_join(thread, NULL);
}

int main(int argc, char** argv) {
  (void)argv;
  if (argc > 1) run_thread();
  if (fork() != 0) return 0;
  setsid();
  if (fork() != 0) _exit(0);
  run_thread();
  for (;;) pause();
}
