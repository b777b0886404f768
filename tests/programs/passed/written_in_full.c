// Calls that block write everything and wait for all that they were asked for, in a stream; a
// datagram is one message whatever the flags say. What is for the other direction fails at once.
//
// expect: passed
// within: random, 20 runs
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <netinet/in.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

enum { kBytes = 700 * 1000, kPieces = 100 };

static char sent[kBytes], received[kBytes];
static int streams[2], pipes[2], tcp[2];

static void* write_pieces(void* unused) {
  struct iovec pieces[kPieces];
  for (int i = 0; i < kPieces; i++) {
    pieces[i] = (struct iovec){sent + i * (kBytes / kPieces), kBytes / kPieces};
  }
  assert(writev(pipes[1], pieces, kPieces) == kBytes);
  struct msghdr message = {.msg_iov = pieces, .msg_iovlen = kPieces};
  assert(sendmsg(streams[0], &message, 0) == kBytes);
  assert(send(streams[0], sent, kBytes, 0) == kBytes);
  for (int i = 0; i < 3; i++) {
    assert(send(tcp[1], sent + i * 100, 100, 0) == 100);
    usleep(100);
  }
  return unused;
}

static void* nothing(void* unused) { return unused; }

static void connect_by_tcp(void) {
  const int listener = socket(AF_INET, SOCK_STREAM, 0);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
  socklen_t size = sizeof address;
  assert(bind(listener, (struct sockaddr*)&address, size) == 0);
  assert(listen(listener, 1) == 0);
  assert(getsockname(listener, (struct sockaddr*)&address, &size) == 0);
  tcp[1] = socket(AF_INET, SOCK_STREAM, 0);
  assert(connect(tcp[1], (struct sockaddr*)&address, size) == 0);
  assert(connect(tcp[1], (struct sockaddr*)&address, size) == -1 && errno == EISCONN);
  tcp[0] = accept(listener, NULL, NULL);
  assert(tcp[0] >= 0);
}

int main(void) {
  for (int i = 0; i < kBytes; i++) sent[i] = (char)(i * 7);
  pthread_t thread;
  assert(pthread_create(&thread, NULL, nothing, NULL) == 0);
  assert(pthread_join(thread, NULL) == 0);
  assert(pipe(pipes) == 0);
  assert(socketpair(AF_UNIX, SOCK_STREAM, 0, streams) == 0);
  connect_by_tcp();
  assert(pthread_create(&thread, NULL, write_pieces, NULL) == 0);

  for (long done = 0; done < kBytes;) {
    const long got = read(pipes[0], received + done, kBytes - done);
    assert(got > 0);
    done += got;
  }
  assert(memcmp(sent, received, kBytes) == 0);
  memset(received, 0, kBytes);
  struct iovec halves[2] = {{received, kBytes / 2}, {received + kBytes / 2, kBytes / 2}};
  struct msghdr message = {.msg_iov = halves, .msg_iovlen = 2};
  assert(recvmsg(streams[1], &message, MSG_WAITALL) == kBytes);
  assert(memcmp(sent, received, kBytes) == 0);
  memset(received, 0, kBytes);
  assert(recv(streams[1], received, kBytes, MSG_WAITALL) == kBytes);
  assert(memcmp(sent, received, kBytes) == 0);

  // To look at all of it takes nothing away.
  memset(received, 0, 300);
  assert(recv(tcp[0], received, 300, MSG_WAITALL | MSG_PEEK) == 300);
  assert(memcmp(sent, received, 300) == 0);
  memset(received, 0, 300);
  assert(recv(tcp[0], received, 300, MSG_WAITALL) == 300);
  assert(memcmp(sent, received, 300) == 0);

  int messages[2];
  assert(socketpair(AF_UNIX, SOCK_DGRAM, 0, messages) == 0);
  assert(send(messages[0], "one", 3, 0) == 3 && send(messages[0], "two", 3, 0) == 3);
  assert(recv(messages[1], received, 100, MSG_WAITALL) == 3);
  assert(recv(messages[1], received, 2, MSG_TRUNC) == 3);
  assert(recv(messages[1], received, 2, MSG_DONTWAIT) == -1 && errno == EAGAIN);

  assert(read(pipes[1], received, 1) == -1 && errno == EBADF);
  assert(write(pipes[0], sent, 1) == -1 && errno == EBADF);
  assert(read(pipes[0], received, 0) == 0);
  assert(recv(pipes[0], received, 1, 0) == -1 && errno == ENOTSOCK);
  assert(pthread_join(thread, NULL) == 0);
  return 0;
}
