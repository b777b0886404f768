// A loop asks whether a child has ended, and works meanwhile: how often it asked is in the
// schedule.
//
// expect: passed
// within: random, 10 runs
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static void* beside(void* unused) {
  for (int i = 0; i < 20; i++) usleep(100);
  return unused;
}

int main(void) {
  pthread_t thread;
  assert(pthread_create(&thread, NULL, beside, NULL) == 0);
  const pid_t child = fork();
  if (child == 0) {
    usleep(5000);
    _exit(3);
  }
  int status = 0;
  pid_t ended = 0;
  while ((ended = waitpid(child, &status, WNOHANG)) == 0) usleep(1000);
  assert(ended == child && WIFEXITED(status) && WEXITSTATUS(status) == 3);
  pthread_join(thread, NULL);
}
