// A program that is started from a thread has the thread's signal mask, and ignores what the
// program ignores.
//
// expect: passed
// within: random, 15 runs
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

// SIGUSR1 is signal 10, SIGUSR2 12, SIGPIPE 13.
static const char check[] =
    "while read name bits; do case $name in"
    " SigBlk:) test $bits = 0000000000000200 || exit 1;;"
    " SigIgn:) test $((0x$bits & 0x1000)) = 4096 || exit 2; "
    "          test $((0x$bits & 0x800)) = 0 || exit 3;;"
    " esac; done < /proc/self/status";

static void note(int signal) { (void)signal; }

static void check_status(int status) { assert(WIFEXITED(status) && WEXITSTATUS(status) == 0); }

static void* start_by_system(void* unused) {
  (void)unused;
  check_status(system(check));
  return NULL;
}

static void* start_by_fork(void* unused) {
  (void)unused;
  int status = -1;
  pid_t child = fork();
  if (child == 0) {
    execl("/bin/sh", "sh", "-c", check, (char*)NULL);
    _exit(9);
  }
  assert(waitpid(child, &status, 0) == child);
  check_status(status);
  return NULL;
}

int main(void) {
  signal(SIGPIPE, SIG_IGN);
  signal(SIGUSR2, note);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  pthread_sigmask(SIG_SETMASK, &set, NULL);
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, start_by_system, NULL);
  pthread_create(&threads[1], NULL, start_by_fork, NULL);
  FILE* answer = popen(check, "r");
  check_status(pclose(answer));
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  puts("ok");
}
