// recvmmsg, sendmmsg, preadv2, pwritev2 and a full queue of datagrams.
//
// expect: passed
// within: random, 30 runs
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

enum { kCount = 4, kMany = 600 };

static int messages[2], pipes[2], receiver;
static const struct sockaddr_un name = {.sun_family = AF_UNIX, .sun_path = "\0unravel-batches"};

static void* send_all(void* unused) {
  char texts[kCount][8] = {"one", "two", "three", "four"};
  struct iovec pieces[kCount];
  struct mmsghdr batch[kCount];
  memset(batch, 0, sizeof batch);
  for (int i = 0; i < kCount; i++) {
    pieces[i] = (struct iovec){texts[i], strlen(texts[i])};
    batch[i].msg_hdr.msg_iov = &pieces[i];
    batch[i].msg_hdr.msg_iovlen = 1;
  }
  assert(sendmmsg(messages[0], batch, kCount, 0) == kCount && batch[2].msg_len == 5);
  struct iovec both[2] = {{"he", 2}, {"llo", 3}};
  usleep(100);
  assert(pwritev2(pipes[1], both, 2, -1, 0) == 5);
  // A queue that is full: the socket looks writable, its receiver is not.
  const int sender = socket(AF_UNIX, SOCK_DGRAM, 0);
  for (int i = 0; i < kMany; i++) {
    assert(sendto(sender, &i, sizeof i, 0, (const struct sockaddr*)&name, sizeof name) == sizeof i);
  }
  close(sender);
  return unused;
}

int main(void) {
  pthread_t thread;
  assert(socketpair(AF_UNIX, SOCK_DGRAM, 0, messages) == 0 && pipe(pipes) == 0);
  receiver = socket(AF_UNIX, SOCK_DGRAM, 0);
  assert(bind(receiver, (const struct sockaddr*)&name, sizeof name) == 0);
  assert(pthread_create(&thread, NULL, send_all, NULL) == 0);

  char texts[kCount][8];
  struct iovec pieces[kCount];
  struct mmsghdr batch[kCount];
  memset(batch, 0, sizeof batch);
  for (int i = 0; i < kCount; i++) {
    pieces[i] = (struct iovec){texts[i], sizeof texts[i]};
    batch[i].msg_hdr.msg_iov = &pieces[i];
    batch[i].msg_hdr.msg_iovlen = 1;
  }
  const int first = recvmmsg(messages[1], batch, kCount, MSG_WAITFORONE, NULL);
  assert(first >= 1 && batch[0].msg_len == 3 && memcmp(texts[0], "one", 3) == 0);
  if (first < kCount) {
    assert(recvmmsg(messages[1], batch + first, kCount - (unsigned)first, 0, NULL) ==
           kCount - first);
  }
  assert(batch[3].msg_len == 4 && memcmp(texts[3], "four", 4) == 0);
  assert(recvmmsg(messages[1], batch, 1, MSG_DONTWAIT, NULL) == -1 && errno == EAGAIN);

  char text[5];
  struct iovec into[2] = {{text, 1}, {text + 1, 4}};
  assert(preadv2(pipes[0], into, 2, -1, 0) == 5 && memcmp(text, "hello", 5) == 0);
  assert(preadv2(pipes[0], into, 2, 0, 0) == -1 && errno == ESPIPE);
  assert(pwrite(pipes[1], text, 1, 0) == -1 && errno == ESPIPE);
  for (int i = 0; i < kMany; i++) {
    int got = -1;
    assert(recv(receiver, &got, sizeof got, 0) == sizeof got && got == i);
  }
  assert(pthread_join(thread, NULL) == 0);
  return 0;
}
