// Signals that are blocked everywhere and read from a descriptor, one sent by a thread and one by a
// child that ends.
//
// expect: passed
// within: random, 20 runs
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

static int signals;

static void* read_signals(void* unused) {
  int seen = 0;
  while (seen != 3) {
    struct signalfd_siginfo info;
    assert(read(signals, &info, sizeof info) == sizeof info);
    assert(info.ssi_signo == SIGUSR1 || info.ssi_signo == SIGCHLD);
    seen |= info.ssi_signo == SIGUSR1 ? 1 : 2;
  }
  return unused;
}

int main(void) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  sigaddset(&set, SIGCHLD);
  assert(pthread_sigmask(SIG_BLOCK, &set, NULL) == 0);
  signals = signalfd(-1, &set, SFD_CLOEXEC);
  assert(signals >= 0);
  struct pollfd wish = {.fd = signals, .events = POLLIN};
  assert(poll(&wish, 1, 0) == 0);
  pthread_t thread;
  assert(pthread_create(&thread, NULL, read_signals, NULL) == 0);
  const pid_t child = fork();
  if (child == 0) _exit(0);
  assert(kill(getpid(), SIGUSR1) == 0);
  pthread_join(thread, NULL);
  assert(waitpid(child, NULL, 0) == child);
  const int other = signalfd(-1, &set, SFD_NONBLOCK);
  struct signalfd_siginfo info;
  assert(read(other, &info, sizeof info) == -1 && errno == EAGAIN);
  assert(read(other, &info, 1) == -1 && errno == EINVAL);
  assert(raise(SIGUSR1) == 0);
  assert(read(other, &info, sizeof info) == sizeof info && info.ssi_signo == SIGUSR1);
  close(other);
}
