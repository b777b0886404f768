// What a program makes in its directory lies on the device of that directory. Programs compare them
// to tell mount points from other directories.
//
// expect: passed
// within: random, 10 runs
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static dev_t device_of(const char* path) {
  struct stat status;
  assert(lstat(path, &status) == 0);
  return status.st_dev;
}

static void* compare(void* unused) {
  char folder[] = "./device-XXXXXX", file[64], link[64], inner[64];
  assert(mkdtemp(folder));
  snprintf(file, sizeof file, "%s/file", folder);
  snprintf(link, sizeof link, "%s/link", folder);
  snprintf(inner, sizeof inner, "%s/inner", folder);
  assert(close(open(file, O_CREAT | O_WRONLY, 0600)) == 0);
  assert(symlink("file", link) == 0 && mkdir(inner, 0700) == 0);
  const dev_t device = device_of(".");
  assert(device_of(folder) == device && device_of(file) == device);
  assert(device_of(link) == device && device_of(inner) == device);
  unlink(file);
  unlink(link);
  rmdir(inner);
  rmdir(folder);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, compare, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  return 0;
}
