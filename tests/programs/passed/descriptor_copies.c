// A timer and a set of signals are read by copies of their descriptors, also when the first one is
// closed or comes back in a message; numbers that are used again mean something else.
//
// expect: passed
// within: random, 30 runs
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

static int sent_to_self(int descriptor) {
  int ends[2];
  assert(socketpair(AF_UNIX, SOCK_DGRAM, 0, ends) == 0);
  char byte = 'x';
  struct iovec piece = {&byte, 1};
  union {
    struct cmsghdr header;
    char room[CMSG_SPACE(sizeof(int))];
  } control = {.header = {CMSG_LEN(sizeof(int)), SOL_SOCKET, SCM_RIGHTS}};
  memcpy(CMSG_DATA(&control.header), &descriptor, sizeof(int));
  struct msghdr message = {.msg_iov = &piece,
                           .msg_iovlen = 1,
                           .msg_control = &control,
                           .msg_controllen = sizeof control};
  assert(sendmsg(ends[0], &message, 0) == 1);
  assert(recvmsg(ends[1], &message, 0) == 1);
  int received = -1;
  memcpy(&received, CMSG_DATA(&control.header), sizeof(int));
  close(ends[0]);
  close(ends[1]);
  return received;
}

static void* beside(void* unused) {
  for (int i = 0; i < 5; i++) usleep(300);
  return unused;
}

static void read_timer(int descriptor, const char* way) {
  const struct itimerspec soon = {.it_value = {.tv_nsec = 1000 * 1000}};
  assert(timerfd_settime(descriptor, 0, &soon, NULL) == 0);
  uint64_t count = 0;
  assert(read(descriptor, &count, sizeof count) == sizeof count && count == 1 && way);
}

int main(void) {
  pthread_t thread;
  assert(pthread_create(&thread, NULL, beside, NULL) == 0);

  const int timer = timerfd_create(CLOCK_MONOTONIC, 0);
  const int copy = dup(timer);
  read_timer(copy, "a copy");
  assert(close(timer) == 0);
  read_timer(copy, "a copy whose original is closed");
  const int high = fcntl(copy, F_DUPFD, 50);
  assert(high >= 50 && dup3(high, 60, O_CLOEXEC) == 60 && close(copy) == 0);
  const int returned = sent_to_self(60);
  assert(close_range(50, 60, 0) == 0);
  read_timer(returned, "one that came in a message");
  // The same number, another thing: a timer that still counted there would make it readable.
  const struct itimerspec soon = {.it_value = {.tv_nsec = 1000}};
  assert(timerfd_settime(returned, 0, &soon, NULL) == 0);
  const int counter = eventfd(0, EFD_NONBLOCK);
  assert(dup2(counter, returned) == returned);
  usleep(1000);
  uint64_t count = 0;
  assert(read(returned, &count, sizeof count) == -1);

  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  assert(pthread_sigmask(SIG_BLOCK, &set, NULL) == 0);
  const int signals = signalfd(-1, &set, 0);
  const int other = dup(signals);
  closefrom(100);
  assert(close(signals) == 0);
  assert(raise(SIGUSR1) == 0);
  struct signalfd_siginfo info;
  assert(read(other, &info, sizeof info) == sizeof info && info.ssi_signo == SIGUSR1);
  assert(pthread_join(thread, NULL) == 0);
  return 0;
}
