// Prints the names of temporary files and directories that libc makes up.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void check_file(int file, const char* name) {
  struct stat status;
  assert(file >= 0 && fstat(file, &status) == 0 && (status.st_mode & 07777) == 0600);
  assert(write(file, "x", 1) == 1 && access(name, F_OK) == 0);
  puts(name);
  close(file);
}

static void* make(void* unused) {
  char names[8][40] = {
      "/tmp/a-XXXXXX",     "/tmp/a-XXXXXX",   "./b-XXXXXX", "/tmp/c-XXXXXX.txt",
      "/tmp/d-XXXXXX.log", "/tmp/dir-XXXXXX", "/tmp/none",  "/tmp/no-such-folder/XXXXXX"};
  errno = EDOM;
  check_file(mkstemp(names[0]), names[0]);
  check_file(mkstemp64(names[1]), names[1]);
  check_file(mkostemp(names[2], O_CLOEXEC), names[2]);
  check_file(mkstemps(names[3], 4), names[3]);
  check_file(mkostemps(names[4], 4, O_APPEND), names[4]);
  assert(errno == EDOM);
  assert(strcmp(names[0], names[1]) != 0 && strcmp(names[3] + strlen(names[3]) - 4, ".txt") == 0);
  assert(mkdtemp(names[5]) == names[5]);
  puts(names[5]);
  assert(mkstemp(names[6]) == -1 && errno == EINVAL);
  assert(mkstemp(names[7]) == -1 && errno == ENOENT);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, make, NULL);
  pthread_join(thread, NULL);
}
