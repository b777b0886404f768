// Leaves a child behind that sleeps on: forked before its thread starts, or with the argument
// "later" after that.
#include <pthread.h>
#include <string.h>
#include <unistd.h>

static void leave_child(void) {
  if (fork() != 0) return;
  for (;;) pause();
}

static void* work(void* unused) { return unused; }

int main(int argc, char** argv) {
  const int later = argc > 1 && strcmp(argv[1], "later") == 0;
  if (!later) leave_child();
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  if (later) leave_child();
  pthread_join(thread, NULL);
  return 0;
}
