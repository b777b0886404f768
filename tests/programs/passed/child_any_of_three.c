// Three children end when they like, and whoever ends first is taken first: which one that was
// is part of the schedule.
//
// expect: passed
// within: random, 10 runs
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static void* beside(void* unused) {
  for (int i = 0; i < 5; i++) usleep(100);
  return unused;
}

int main(void) {
  pthread_t thread;
  assert(pthread_create(&thread, NULL, beside, NULL) == 0);
  pid_t children[3];
  for (int i = 0; i < 3; i++) {
    children[i] = fork();
    if (children[i] == 0) _exit(10 + i);
  }
  int seen = 0;
  for (int left = 3; left > 0; left--) {
    int status;
    const pid_t child = wait(&status);
    assert(child > 0 && WIFEXITED(status));
    // A different path for each, so that a replay with another order would be seen.
    for (int i = 0; i < 3; i++) {
      if (children[i] != child) continue;
      assert(WEXITSTATUS(status) == 10 + i);
      for (int j = 0; j <= i; j++) usleep(1);
      seen |= 1 << i;
    }
  }
  assert(seen == 7);
  pthread_join(thread, NULL);
}
