// Signals are set, blocked, sent and waited for by their names of System V and BSD.
//
// expect: passed
// within: random, 20 runs
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

enum { kSecond = 1 << (12 - 1) };  // SIGUSR2 in a set of BSD

typedef void (*Handler)(int);
Handler bsd_signal(int signal, Handler handler);
int __xpg_sigpause(int signal);

static volatile sig_atomic_t handled;

static void note(int signal) {
  (void)signal;
  handled++;
}

static void* other(void* unused) {
  for (int i = 0; i < 3; i++) assert(kill(getpid(), SIGUSR2) == 0);
  return unused;
}

static void system_v(void) {
  assert(sysv_signal(SIGUSR1, note) == SIG_DFL);
  struct sigaction action;
  assert(sigaction(SIGUSR1, NULL, &action) == 0);
  assert(action.sa_flags & SA_RESETHAND && action.sa_flags & SA_NODEFER);
  assert(gsignal(SIGUSR1) == 0 && handled == 1);
  assert(sigset(SIGUSR1, note) == SIG_DFL);  // the first one has reset it
  assert(sigset(SIGUSR1, SIG_HOLD) == note);
  assert(raise(SIGUSR1) == 0 && handled == 1);
  assert(sigset(SIGUSR1, note) == SIG_HOLD && handled == 2);
  assert(sighold(SIGUSR1) == 0);
  assert(raise(SIGUSR1) == 0 && handled == 2);
  assert(sigrelse(SIGUSR1) == 0 && handled == 3);
  assert(sigignore(SIGUSR1) == 0);
  assert(raise(SIGUSR1) == 0 && handled == 3);
  assert(sigset(0, note) == SIG_ERR && errno == EINVAL);
  assert(sigset(SIGKILL, note) == SIG_ERR && errno == EINVAL);
  assert(signal(65, note) == SIG_ERR && errno == EINVAL);
  assert(sysv_signal(SIGUSR1, SIG_ERR) == SIG_ERR && errno == EINVAL);
  assert(sighold(65) == -1 && errno == EINVAL);
}

static void bsd(void) {
  handled = 0;
  assert(bsd_signal(SIGUSR2, note) == SIG_DFL);
  assert(sigblock(kSecond) == 0);
  assert(siggetmask() == kSecond);
  assert(raise(SIGUSR2) == 0 && handled == 0);
  assert(sigsetmask(0) == kSecond && handled == 1);
  assert(siginterrupt(SIGUSR2, 1) == 0);
  struct sigaction action;
  assert(sigaction(SIGUSR2, NULL, &action) == 0 && !(action.sa_flags & SA_RESTART));
  assert(ssignal(SIGUSR2, note) == note);
  assert(sigaction(SIGUSR2, NULL, &action) == 0 && !(action.sa_flags & SA_RESTART));
}

int main(void) {
  system_v();
  bsd();
  handled = 0;
  sighold(SIGUSR2);
  pthread_t thread;
  assert(pthread_create(&thread, NULL, other, NULL) == 0);
  assert(__xpg_sigpause(SIGUSR2) == -1 && errno == EINTR);
  assert(handled >= 1);
  pthread_join(thread, NULL);
  assert(siggetmask() == kSecond);
  sigignore(SIGUSR2);
  assert(killpg(-1, SIGUSR1) == -1 && errno == EINVAL);
}
