// A child stops reading when it likes, sooner or later by the real clock. How many writes went well
// before one failed is in the schedule, and a replay waits for the end that came then.
//
// expect: passed
// within: random, 10 runs
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int sides[2];

static void* write_all(void* unused) {
  while (write(sides[0], "x", 1) == 1) usleep(1000);
  assert(errno == EPIPE || errno == ECONNRESET);  // the latter in the moment of the child's end
  return unused;
}

int main(void) {
  assert(signal(SIGPIPE, SIG_IGN) != SIG_ERR);
  assert(socketpair(AF_UNIX, SOCK_STREAM, 0, sides) == 0);
  const pid_t child = fork();
  if (child == 0) {
    struct timespec now;
    char byte;
    clock_gettime(CLOCK_MONOTONIC, &now);
    close(sides[0]);
    if (read(sides[1], &byte, 1) != 1) _exit(1);
    usleep((useconds_t)(now.tv_nsec / 1000 % 20) * 1000);
    _exit(0);
  }
  close(sides[1]);
  pthread_t thread;
  assert(pthread_create(&thread, NULL, write_all, NULL) == 0);
  pthread_join(thread, NULL);
  int status = 0;
  assert(waitpid(child, &status, 0) == child && status == 0);
}
