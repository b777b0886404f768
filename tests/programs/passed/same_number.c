// A program that asked for its process and thread number before its first thread has the same ones
// later, and whoever is named by them is meant.
//
// expect: passed
// within: random, 20 runs
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t process, thread, parent, group;
static volatile sig_atomic_t handled;

static void handle(int number, siginfo_t* info, void* context) {
  (void)number;
  (void)context;
  assert(info->si_pid == process);
  handled++;
}

static void check(void) {
  assert(getpid() == process && syscall(SYS_getpid) == process);
  assert(getppid() == parent && syscall(SYS_getppid) == parent);
  assert(getpgrp() == group && getpgid(process) == group && getpgid(0) == group);
  assert(getsid(process) == getsid(0));
  assert(sched_getscheduler(process) == SCHED_OTHER);
  struct rlimit limit;
  assert(prlimit(process, RLIMIT_NOFILE, NULL, &limit) == 0);
}

static void* work(void* unused) {
  check();
  assert(gettid() != thread);
  assert(kill(process, SIGUSR1) == 0);
  assert(tgkill(process, thread, SIGUSR1) == 0);
  return unused;
}

int main(void) {
  process = getpid();
  thread = gettid();
  parent = getppid();
  group = getpgrp();
  assert(process == thread);
  struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO};
  sigaction(SIGUSR1, &action, NULL);

  pthread_t other;
  pthread_create(&other, NULL, work, NULL);
  pthread_join(other, NULL);
  check();
  assert(gettid() == thread && syscall(SYS_gettid) == thread);
  assert(handled >= 1);

  const pid_t child = fork();
  if (child == 0) {
    if (getppid() != process || getpid() == process) _exit(1);
    _exit(kill(process, 0) == 0 ? 0 : 2);
  }
  int status = 0;
  assert(waitpid(child, &status, 0) == child && status == 0);
  puts("ok");
}
