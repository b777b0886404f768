// Signals of faults are like others where they are sent: they can be blocked, are pending, queue,
// are waited for, handled and ignored.
//
// expect: passed
// within: random, 20 runs
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/signalfd.h>
#include <unistd.h>

static const int faults[] = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS};
enum { kCount = sizeof faults / sizeof *faults };

static volatile sig_atomic_t handled;

static void note(int signal, siginfo_t* info, void* context) {
  (void)context;
  assert(info->si_signo == signal && info->si_code == SI_TKILL && info->si_pid == getpid());
  sigset_t blocked;
  pthread_sigmask(SIG_BLOCK, NULL, &blocked);
  assert(sigismember(&blocked, signal));
  handled++;
}

static void* take(void* set) {
  for (int i = 0; i < kCount; i++) {
    int signal = 0;
    assert(sigwait(set, &signal) == 0);
    assert(sigismember(set, signal) == 1);
  }
  return NULL;
}

static void read_one(const sigset_t* set) {
  int descriptor = signalfd(-1, set, 0);
  assert(descriptor >= 0 && raise(SIGBUS) == 0);
  struct signalfd_siginfo info;
  assert(read(descriptor, &info, sizeof info) == sizeof info && info.ssi_signo == SIGBUS);
  close(descriptor);
}

int main(void) {
  sigset_t set, now;
  sigemptyset(&set);
  for (int i = 0; i < kCount; i++) sigaddset(&set, faults[i]);
  assert(pthread_sigmask(SIG_BLOCK, &set, NULL) == 0);
  pthread_sigmask(SIG_BLOCK, NULL, &now);
  for (int i = 0; i < kCount; i++) assert(sigismember(&now, faults[i]));
  pthread_t thread;
  assert(pthread_create(&thread, NULL, take, &set) == 0);
  for (int i = 0; i < kCount; i++) assert(kill(getpid(), faults[i]) == 0);
  pthread_join(thread, NULL);
  read_one(&set);

  struct sigaction action = {.sa_sigaction = note, .sa_flags = SA_SIGINFO};
  for (int i = 0; i < kCount; i++) {
    handled = 0;
    assert(sigaction(faults[i], &action, NULL) == 0);
    assert(raise(faults[i]) == 0 && handled == 0);
    assert(sigpending(&now) == 0 && sigismember(&now, faults[i]));
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    assert(handled == 1);
    assert(pthread_kill(pthread_self(), faults[i]) == 0 && handled == 2);
    assert(signal(faults[i], SIG_IGN) != SIG_ERR);
    assert(raise(faults[i]) == 0 && handled == 2);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
  }
}
