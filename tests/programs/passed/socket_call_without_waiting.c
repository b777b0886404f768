// A call that says it will not wait does not, whatever its descriptor says.
//
// expect: passed
// within: random, 20 runs
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sys/socket.h>
static int s[2];
static void* f(void* u) {
  char b;
  assert(recv(s[0], &b, 1, MSG_DONTWAIT) == -1 && errno == EAGAIN);
  return u;
}
int main(void) {
  socketpair(AF_UNIX, SOCK_STREAM, 0, s);
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  pthread_join(t, 0);
  char b = 'x';
  assert(send(s[1], &b, 1, MSG_DONTWAIT) == 1);
  assert(recv(s[0], &b, 1, MSG_DONTWAIT) == 1);
}
