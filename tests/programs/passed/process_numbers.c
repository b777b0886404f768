// What a run makes of its own, its threads' and its child's number takes it the same way when it is
// replayed.
//
// expect: passed
// within: random, 10 runs
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static void* use(void* unused) {
  for (int i = gettid() % 8; i > 0; i--) usleep(1);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) assert(pthread_create(&threads[i], NULL, use, NULL) == 0);
  const pid_t child = fork();
  if (child == 0) _exit(0);
  assert(waitpid(child, NULL, 0) == child);
  for (int i = (getpid() + child) % 8; i > 0; i--) usleep(1);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
}
