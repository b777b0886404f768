// Which lock it takes depends on what a child process says: the real time.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t locks[256];
static int ends[2];

static void* work(void* unused) {
  unsigned char which = 0;
  if (read(ends[0], &which, 1) != 1) return unused;
  pthread_mutex_lock(&locks[which]);
  pthread_mutex_unlock(&locks[which]);
  return unused;
}

int main(void) {
  if (pipe(ends) != 0) return 9;
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  if (fork() == 0) {
    struct timespec now;
    syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
    const unsigned char which =
        (unsigned char)((unsigned long)now.tv_nsec * 0x9e3779b97f4a7c15 >> 56);
    _exit(write(ends[1], &which, 1) == 1 ? 0 : 9);
  }
  wait(NULL);
  pthread_join(thread, NULL);
  puts("asked");
}
