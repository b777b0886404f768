// A reader holds the only writing end itself: a copy of it that came in a message. Nobody else has
// it, so nothing will ever come.
//
// expect: deadlock
// within: random, 5 runs
// bug: read_copy, main
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int ends[2], mail[2];

static void send_end(void) {
  char byte = 'x';
  struct iovec piece = {&byte, 1};
  union {
    struct cmsghdr header;
    char room[CMSG_SPACE(2 * sizeof(int))];
  } control = {.header = {CMSG_LEN(2 * sizeof(int)), SOL_SOCKET, SCM_RIGHTS}};
  memcpy(CMSG_DATA(&control.header), ends, 2 * sizeof(int));
  const struct msghdr message = {.msg_iov = &piece,
                                 .msg_iovlen = 1,
                                 .msg_control = &control,
                                 .msg_controllen = sizeof control};
  assert(sendmsg(mail[0], &message, 0) == 1);
  close(ends[0]);
  close(ends[1]);
}

static void* read_copy(void* unused) {
  char byte;
  struct iovec piece = {&byte, 1};
  union {
    struct cmsghdr header;
    char room[CMSG_SPACE(2 * sizeof(int))];
  } control;
  struct msghdr message = {.msg_iov = &piece,
                           .msg_iovlen = 1,
                           .msg_control = &control,
                           .msg_controllen = sizeof control};
  assert(recvmsg(mail[1], &message, 0) == 1);
  int copies[2];
  memcpy(copies, CMSG_DATA(&control.header), sizeof copies);
  read(copies[0], &byte, 1);
  return unused;
}

int main(void) {
  pthread_t thread;
  assert(socketpair(AF_UNIX, SOCK_STREAM, 0, mail) == 0 && pipe(ends) == 0);
  assert(pthread_create(&thread, NULL, read_copy, NULL) == 0);
  send_end();
  assert(pthread_join(thread, NULL) == 0);
  return 0;
}
