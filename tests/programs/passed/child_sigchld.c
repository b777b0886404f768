// The end of a child is told by SIGCHLD: its handler reaps it while main waits for a semaphore.
//
// expect: passed
// within: random, 20 runs
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static sem_t reaped;

static void reap(int signal) {
  (void)signal;
  int kept = errno, status = 0;
  while (waitpid(-1, &status, WNOHANG) > 0) {
    assert(WIFEXITED(status) && WEXITSTATUS(status) == 5);
    sem_post(&reaped);
  }
  errno = kept;
}

static void* fork_child(void* unused) {
  (void)unused;
  pid_t child = fork();
  if (child == 0) _exit(5);
  assert(child > 0);
  return NULL;
}

int main(void) {
  sem_init(&reaped, 0, 0);
  struct sigaction action = {.sa_handler = reap, .sa_flags = SA_RESTART};
  assert(sigaction(SIGCHLD, &action, NULL) == 0);
  pthread_t forker;
  pthread_create(&forker, NULL, fork_child, NULL);
  assert(sem_wait(&reaped) == 0);
  pthread_join(forker, NULL);
  puts("ok");
}
