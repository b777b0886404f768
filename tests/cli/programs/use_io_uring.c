// Makes an io_uring by the system call, as programs without liburing do, and lets it do nothing.
// Ends with 77 where the system has none to give.
#define _GNU_SOURCE
#include <linux/io_uring.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static void* work(void* unused) { return unused; }

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  pthread_join(thread, NULL);
  struct io_uring_params parameters;
  memset(&parameters, 0, sizeof parameters);
  if (syscall(SYS_io_uring_setup, 4, &parameters) < 0) return 77;
  puts("made");
  return 0;
}
