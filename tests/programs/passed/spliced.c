// splice, tee, vmsplice and sendfile wait for bytes and for room.
//
// expect: passed
// within: random, 20 runs
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

enum { kBytes = 300 * 1000 };

static char sent[kBytes], received[kBytes];
static int first[2], second[2], third[2], pair[2];

static void* feed(void* unused) {
  usleep(100);
  struct iovec piece = {sent, 1000};
  assert(vmsplice(first[1], &piece, 1, 0) == 1000);
  FILE* file = tmpfile();
  assert(file && fwrite(sent, 1, kBytes, file) == kBytes && fflush(file) == 0);
  off_t offset = 0;
  assert(sendfile(pair[1], fileno(file), &offset, kBytes) == kBytes && offset == kBytes);
  fclose(file);
  return unused;
}

int main(void) {
  for (int i = 0; i < kBytes; i++) sent[i] = (char)(i * 13);
  assert(pipe(first) == 0 && pipe(second) == 0 && pipe(third) == 0);
  assert(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
  pthread_t thread;
  assert(pthread_create(&thread, NULL, feed, NULL) == 0);
  assert(splice(third[0], NULL, second[1], NULL, 10, SPLICE_F_NONBLOCK) == -1 && errno == EAGAIN);
  assert(tee(first[0], third[1], 1000, 0) == 1000);
  assert(splice(first[0], NULL, second[1], NULL, 1000, 0) == 1000);
  assert(read(second[0], received, kBytes) == 1000 && memcmp(sent, received, 1000) == 0);
  assert(read(third[0], received, kBytes) == 1000 && memcmp(sent, received, 1000) == 0);
  assert(splice(first[0], NULL, first[1], NULL, 1, 0) == -1 && errno == EINVAL);
  // From a socket into a pipe and out again, in whatever portions.
  for (long done = 0; done < kBytes;) {
    const long moved = splice(pair[0], NULL, first[1], NULL, 5000, 0);
    assert(moved > 0 && read(first[0], received + done, (size_t)moved) == moved);
    done += moved;
  }
  assert(memcmp(sent, received, kBytes) == 0);
  assert(pthread_join(thread, NULL) == 0);
  return 0;
}
