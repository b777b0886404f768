// A program that limits its own memory gets as much as it asked for, is told what it asked for, and
// can keep all of it resident: what we take does not count.
//
// expect: passed
// within: random, 10 runs
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static const rlim_t kMost = 1 << 30;

static void* use(void* size) {
  void* memory = malloc(*(size_t*)size);
  assert(memory != NULL);
  free(memory);
  return NULL;
}

static void* lock_all(void* unused) {
  // An ordinary user may be allowed less than the program takes.
  const int locked = mlockall(MCL_CURRENT | MCL_FUTURE);
  assert(locked == 0 || errno == ENOMEM || errno == EPERM);
  assert(mlockall(0) == -1 && errno == EINVAL);
  assert(munlockall() == 0);
  return unused;
}

static void limit(int resource) {
  struct rlimit wanted = {.rlim_cur = kMost, .rlim_max = RLIM_INFINITY};
  struct rlimit seen;
  assert(getrlimit(resource, &seen) == 0);
  wanted.rlim_max = seen.rlim_max;
  assert(setrlimit(resource, &wanted) == 0);
  assert(getrlimit(resource, &seen) == 0);
  assert(seen.rlim_cur == kMost && seen.rlim_max == wanted.rlim_max);
  assert(prlimit(0, resource, NULL, &seen) == 0 && seen.rlim_cur == kMost);
  assert(prlimit(getpid(), resource, NULL, &seen) == 0 && seen.rlim_cur == kMost);
  const struct rlimit wrong = {.rlim_cur = 2, .rlim_max = 1};
  assert(setrlimit(resource, &wrong) == -1 && errno == EINVAL);
}

int main(void) {
  limit(RLIMIT_AS);
  limit(RLIMIT_DATA);
  size_t size = 64 << 20;
  pthread_t threads[3];
  for (int i = 0; i < 2; i++) assert(pthread_create(&threads[i], NULL, use, &size) == 0);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  assert(malloc((size_t)kMost) == NULL);

  const pid_t child = fork();
  if (child == 0) {
    struct rlimit seen;
    const int right = getrlimit(RLIMIT_AS, &seen) == 0 && seen.rlim_cur == kMost;
    if (!right || malloc(64 << 20) == NULL) _exit(1);
    execl("/bin/sh", "sh", "-c", "test $(ulimit -v) = 1048576", (char*)NULL);
    _exit(2);
  }
  int status = 0;
  assert(waitpid(child, &status, 0) == child && status == 0);

  pthread_create(&threads[0], NULL, lock_all, NULL);
  pthread_join(threads[0], NULL);
  puts("ok");
}
