// A thread reads from a named pipe that nobody writes to: for all we know somebody might.
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

static void* wait_for_byte(void* unused) {
  mkfifo("nobody-writes-here", 0600);
  int pipe = open("nobody-writes-here", O_RDWR);
  char byte;
  while (read(pipe, &byte, 1) > 0) {
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, wait_for_byte, NULL);
  pthread_join(thread, NULL);
  return 0;
}
