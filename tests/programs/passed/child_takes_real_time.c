// A child sleeps for a while in real time. Whoever waits for it sees that time pass, before there
// is a second thread and after, and whoever sleeps for longer finds that it has ended.
//
// expect: passed
// within: random, 50 runs
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static long long milliseconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000LL + time.tv_nsec / 1000000;
}

static pid_t start_sleeper(void) {
  const pid_t child = fork();
  if (child == 0) {
    usleep(30000);
    _exit(0);
  }
  return child;
}

static void* wait_for_child(void* unused) {
  (void)unused;
  const long long began = milliseconds();
  const pid_t child = start_sleeper();
  int status;
  assert(waitpid(child, &status, 0) == child);
  assert(milliseconds() - began >= 25);
  return NULL;
}

int main(void) {
  wait_for_child(NULL);
  pthread_t thread;
  pthread_create(&thread, NULL, wait_for_child, NULL);
  pthread_join(thread, NULL);
  const pid_t child = start_sleeper();
  const long long began = milliseconds();
  int status;
  while (waitpid(child, &status, WNOHANG) == 0) {
    // Not even a machine with too much to do takes a minute.
    assert(milliseconds() - began < 60000);
  }
  puts("ok");
}
