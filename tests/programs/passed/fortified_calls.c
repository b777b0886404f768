// Programs that are built with checks of buffers call libc by other names. These wait as well.
//
// expect: passed
// within: random, 20 runs
// flags: -O1 -D_FORTIFY_SOURCE=2
#define _GNU_SOURCE
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static int ends[2];

static void* answer(void* unused) {
  for (int i = 0; i < 6; i++) {
    usleep(100);
    assert(send(ends[1], "line\n", 5, 0) == 5);
  }
  assert(shutdown(ends[1], SHUT_WR) == 0);
  return unused;
}

int main(void) {
  pthread_t thread;
  assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  assert(pthread_create(&thread, NULL, answer, NULL) == 0);
  char bytes[64];
  struct pollfd wish = {ends[0], POLLIN, 0};
  // Lengths that the compiler does not know, so that they are checked when they are used.
  volatile size_t five = 5;
  volatile int one = 1, room = 64;
  assert(poll(&wish, (nfds_t)one, -1) == 1);
  assert(ppoll(&wish, (nfds_t)one, NULL, NULL) == 1);
  assert(read(ends[0], bytes, five) == 5);
  assert(recv(ends[0], bytes, five, MSG_WAITALL) == 5);
  assert(recvfrom(ends[0], bytes, five, MSG_WAITALL, NULL, NULL) == 5);
  FILE* stream = fdopen(ends[0], "r+");
  assert(stream && fgets(bytes, room, stream) && strcmp(bytes, "line\n") == 0);
  assert(fread(bytes, 1, five, stream) == 5 && memcmp(bytes, "line\n", 5) == 0);
  assert(fgets_unlocked(bytes, room, stream) && !fgets(bytes, room, stream));
  assert(fprintf(stream, "%d\n", room) == 3 && fclose(stream) == 0);
  assert(read(ends[1], bytes, (size_t)room) == 3);
  assert(pthread_join(thread, NULL) == 0);
  return 0;
}
