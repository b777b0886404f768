// A program has a parent, the same before and after its first thread, and is the parent of its
// children.
//
// expect: passed
// within: random, 20 runs
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t parent;

static void* look(void* unused) {
  (void)unused;
  assert(getppid() == parent);
  return NULL;
}

int main(void) {
  parent = getppid();
  assert(parent > 0 && parent != getpid());
  assert(syscall(SYS_getppid) == parent);
  pthread_t thread;
  pthread_create(&thread, NULL, look, NULL);
  pthread_join(thread, NULL);
  const pid_t own = getpid();
  const pid_t child = fork();
  if (child == 0) _exit(getppid() == own ? 0 : 1);
  int status = -1;
  assert(waitpid(child, &status, 0) == child && status == 0);
  puts("ok");
}
