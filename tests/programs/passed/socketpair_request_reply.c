// Requests and replies over a socket pair: the server squares what it gets until the client hangs
// up.
//
// expect: passed
// within: random, 40 runs
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

static int ends[2];

static void* serve(void* unused) {
  (void)unused;
  int number;
  while (recv(ends[1], &number, sizeof(number), 0) == sizeof(number)) {
    number *= number;
    assert(send(ends[1], &number, sizeof(number), 0) == sizeof(number));
  }
  return NULL;
}

int main(void) {
  assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  pthread_t server;
  pthread_create(&server, NULL, serve, NULL);
  for (int i = 1; i <= 5; i++) {
    int number = i;
    assert(send(ends[0], &number, sizeof(number), 0) == sizeof(number));
    assert(recv(ends[0], &number, sizeof(number), MSG_WAITALL) == sizeof(number));
    assert(number == i * i);
  }
  assert(shutdown(ends[0], SHUT_WR) == 0);
  pthread_join(server, NULL);
  puts("ok");
}
