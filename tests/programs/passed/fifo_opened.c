// To open a FIFO waits for its other end, in either order, with open and with fopen.
//
// expect: passed
// within: random, 20 runs
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/unravel-fifo-XXXXXX";
static char path[64];
static sem_t read_to_end;

static void* write_end(void* unused) {
  const int descriptor = open(path, O_WRONLY);
  assert(descriptor >= 0 && !(fcntl(descriptor, F_GETFL) & O_NONBLOCK));
  usleep(200);
  assert(write(descriptor, "first", 5) == 5 && close(descriptor) == 0);
  sem_wait(&read_to_end);
  // One that says nothing has been there as well.
  const int silent = open(path, O_WRONLY | O_CLOEXEC);
  assert(silent >= 0);
  usleep(300);
  assert(close(silent) == 0);
  sem_wait(&read_to_end);
  FILE* stream = fopen(path, "w");
  assert(stream && fputs("second\n", stream) >= 0 && fclose(stream) == 0);
  return unused;
}

int main(void) {
  assert(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/fifo", folder);
  assert(mkfifo(path, 0600) == 0);
  assert(open(path, O_WRONLY | O_NONBLOCK) == -1 && errno == ENXIO);
  pthread_t thread;
  assert(pthread_create(&thread, NULL, write_end, NULL) == 0);
  char bytes[16];
  int descriptor = open(path, O_RDONLY);
  assert(descriptor >= 0 && !(fcntl(descriptor, F_GETFL) & O_NONBLOCK));
  assert(read(descriptor, bytes, sizeof bytes) == 5 && memcmp(bytes, "first", 5) == 0);
  assert(read(descriptor, bytes, sizeof bytes) == 0 && close(descriptor) == 0);
  sem_post(&read_to_end);
  descriptor = openat(AT_FDCWD, path, O_RDONLY);
  assert(descriptor >= 0 && read(descriptor, bytes, sizeof bytes) == 0 && close(descriptor) == 0);
  sem_post(&read_to_end);
  FILE* stream = fopen(path, "r");
  assert(stream && fgets(bytes, sizeof bytes, stream) && strcmp(bytes, "second\n") == 0);
  assert(fclose(stream) == 0);
  assert(pthread_join(thread, NULL) == 0);
  assert(unlink(path) == 0 && rmdir(folder) == 0);
  return 0;
}
