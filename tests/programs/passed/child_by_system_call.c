// Children by system calls of the program's own, which die in several ways, as their parent sees.
//
// expect: passed
// within: random, 20 runs
#define _GNU_SOURCE
#include <assert.h>
#include <linux/sched.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static long make(int way) {
  struct clone_args arguments = {.exit_signal = SIGCHLD};
  switch (way) {
    case 0: return syscall(SYS_fork);
    case 1: return syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
    default: return syscall(SYS_clone3, &arguments, sizeof(arguments));
  }
}

static void* make_children(void* unused) {
  for (int way = 0; way < 3; way++) {
    for (int how = 0; how < 2; how++) {
      const long child = make(way);
      assert(child >= 0);
      if (child == 0) {
        if (how == 0) _exit(4);
        close(STDERR_FILENO);
        abort();
      }
      int status = 0;
      assert(waitpid((pid_t)child, &status, 0) == child);
      assert(how == 0 ? WIFEXITED(status) && WEXITSTATUS(status) == 4
                      : WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
    }
  }
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
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, make_children, NULL);
  pthread_create(&threads[1], NULL, work, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  puts("ok");
}
