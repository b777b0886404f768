// Two threads with two open files of their own exclude each other by flock and by fcntl.
//
// expect: passed
// within: random, 30 runs
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <sys/file.h>
#include <unistd.h>

static char path[64];
static int inside;

static void* lock_both_ways(void* unused) {
  (void)unused;
  int file = open(path, O_RDWR | O_CLOEXEC);
  assert(file >= 0);
  for (int i = 0; i < 2; i++) {
    assert(flock(file, LOCK_EX) == 0);
    assert(inside++ == 0);
    sched_yield();
    assert(--inside == 0);
    assert(flock(file, LOCK_UN) == 0);

    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    assert(fcntl(file, F_OFD_SETLKW, &whole) == 0);
    whole.l_type = F_UNLCK;
    assert(fcntl(file, F_OFD_SETLK, &whole) == 0);
  }
  close(file);
  return NULL;
}

int main(void) {
  int file = open("/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  assert(file >= 0);
  snprintf(path, sizeof(path), "/proc/self/fd/%d", file);
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, lock_both_ways, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  assert(flock(file, LOCK_EX | LOCK_NB) == 0);
  puts("ok");
}
