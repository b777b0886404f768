// Threads wait for each other by system calls that they make by number: each waits in the
// scheduler, as in the function of the same meaning.
//
// expect: passed
// within: random, 10 runs
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int ends[2], events, sockets[2];

static long put(int descriptor, const char* text) {
  return syscall(SYS_write, descriptor, text, strlen(text));
}

static void* answer(void* unused) {
  (void)unused;
  char text[8] = {0};
  assert(syscall(SYS_read, ends[0], text, sizeof text) == 3 && strcmp(text, "one") == 0);

  struct pollfd wish = {.fd = sockets[1], .events = POLLIN};
  assert(syscall(SYS_poll, &wish, 1L, -1L) == 1 && wish.revents == POLLIN);
  assert(syscall(SYS_recvfrom, sockets[1], text, 3L, 0L, NULL, NULL) == 3);

  unsigned long mask = 0;
  assert(syscall(SYS_ppoll, &wish, 1L, NULL, &mask, sizeof mask) == 1);
  assert(syscall(SYS_read, sockets[1], text, sizeof text) == 5);
  assert(put(sockets[1], "done") == 4);
  return NULL;
}

static void check_descriptors(void) {
  pthread_t other;
  assert(syscall(SYS_pipe2, ends, O_CLOEXEC) == 0);
  assert(syscall(SYS_socketpair, (long)AF_UNIX, (long)SOCK_STREAM, 0L, sockets) == 0);
  assert(pthread_create(&other, NULL, answer, NULL) == 0);
  assert(put(ends[1], "one") == 3 && put(sockets[0], "two") == 3);
  usleep(10);
  assert(put(sockets[0], "three") == 5);

  struct epoll_event wish = {.events = EPOLLIN}, seen;
  events = epoll_create1(0);
  assert(epoll_ctl(events, EPOLL_CTL_ADD, sockets[0], &wish) == 0);
  assert(syscall(SYS_epoll_wait, events, &seen, 1L, -1L) == 1 && seen.events == EPOLLIN);
  assert(pthread_join(other, NULL) == 0);
  assert(syscall(SYS_close, ends[1]) == 0);
  char byte;
  assert(syscall(SYS_read, ends[0], &byte, 1L) == 0);
  assert(syscall(SYS_read, -1L, &byte, 1L) == -1 && errno == EBADF);
}

static int caught;

static void on_signal(int signal) { caught = signal; }

static void check_signals(void) {
  struct {
    void (*handler)(int);
    unsigned long flags;
    void (*restorer)(void);
    unsigned long mask;
  } old;
  signal(SIGUSR1, on_signal);
  assert(syscall(SYS_rt_sigaction, SIGUSR1, NULL, &old, 8L) == 0 && old.handler == on_signal);
  unsigned long usr1 = 1UL << (SIGUSR1 - 1), before, pending;
  assert(syscall(SYS_rt_sigprocmask, SIG_BLOCK, &usr1, &before, 8L) == 0 && !(before & usr1));
  assert(syscall(SYS_kill, getpid(), SIGUSR1) == 0 && !caught);
  assert(syscall(SYS_rt_sigpending, &pending, 8L) == 0 && pending == usr1);
  assert(syscall(SYS_rt_sigprocmask, SIG_SETMASK, &before, NULL, 8L) == 0 && caught == SIGUSR1);
  caught = 0;
  assert(syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), SIGUSR1) == 0 && caught == SIGUSR1);
  assert(syscall(SYS_rt_sigprocmask, SIG_BLOCK, &usr1, NULL, 8L) == 0);
  assert(raise(SIGUSR1) == 0);
  assert(syscall(SYS_rt_sigtimedwait, &usr1, NULL, NULL, 8L) == SIGUSR1);
  assert(syscall(SYS_rt_sigprocmask, SIG_BLOCK, &usr1, NULL, 4L) == -1 && errno == EINVAL);
}

static void check_children(void) {
  const long child = syscall(SYS_fork);
  if (child == 0) syscall(SYS_exit_group, 7L);
  int status;
  assert(child > 0 && syscall(SYS_wait4, child, &status, 0L, NULL) == child);
  assert(WIFEXITED(status) && WEXITSTATUS(status) == 7);
}

int main(void) {
  check_descriptors();
  check_signals();
  check_children();
  return 0;
}
