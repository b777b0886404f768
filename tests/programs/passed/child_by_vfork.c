// A child of vfork uses its parent's memory until it ends or becomes another program, and its
// parent goes on only then. Handlers of pthread_atfork do not run.
//
// expect: passed
// within: random, 20 runs
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int told, handled;
static char stack[1 << 16] __attribute__((aligned(16)));

static void on_fork(void) { handled++; }

static int status_of(pid_t child) {
  int status = 0;
  assert(child > 0);
  assert(waitpid(child, &status, 0) == child);
  return status;
}

static int tell(void* value) {
  told = *(int*)value;
  return 9;
}

static void* make_children(void* unused) {
  pid_t child = vfork();
  if (child == 0) {
    told = 7;
    _exit(3);
  }
  assert(told == 7);
  int status = status_of(child);
  assert(WIFEXITED(status) && WEXITSTATUS(status) == 3);

  child = vfork();
  if (child == 0) {
    execl("/nonexistent/program", "program", (char*)NULL);
    told = errno;
    _exit(127);
  }
  assert(told == ENOENT);
  status = status_of(child);
  assert(WEXITSTATUS(status) == 127);

  child = vfork();
  if (child == 0) {
    execl("/bin/sh", "sh", "-c", "test -z \"$UNRAVEL_CHANNEL$LD_PRELOAD\" && exit 5", (char*)NULL);
    _exit(127);
  }
  status = status_of(child);
  assert(WEXITSTATUS(status) == 5);

  child = vfork();
  if (child == 0) abort();
  status = status_of(child);
  assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);

  int value = 11;
  child = clone(tell, stack + sizeof(stack), CLONE_VM | CLONE_VFORK | SIGCHLD, &value);
  status = status_of(child);
  assert(told == 11 && WEXITSTATUS(status) == 9);
  assert(handled == 0);
  return unused;
}

static void* work(void* unused) {
  for (int i = 0; i < 5; i++) {
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

int main(void) {
  pthread_atfork(on_fork, on_fork, on_fork);
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, make_children, NULL);
  pthread_create(&threads[1], NULL, work, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  puts("ok");
}
