// A thread suspends itself until SIGCHLD says that a child has ended.
//
// expect: passed
// within: random, 20 runs
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t ended;

static void note(int signal) {
  (void)signal;
  ended = 1;
}

static void* work(void* unused) {
  (void)unused;
  usleep(1000);
  return NULL;
}

int main(void) {
  struct sigaction action = {.sa_handler = note};
  assert(sigaction(SIGCHLD, &action, NULL) == 0);
  sigset_t set, before;
  sigemptyset(&set);
  sigaddset(&set, SIGCHLD);
  assert(pthread_sigmask(SIG_BLOCK, &set, &before) == 0);
  pthread_t worker;
  pthread_create(&worker, NULL, work, NULL);
  pid_t child = fork();
  if (child == 0) _exit(0);
  while (!ended) sigsuspend(&before);
  assert(waitpid(child, NULL, WNOHANG) == child);
  pthread_join(worker, NULL);
  puts("ok");
}
