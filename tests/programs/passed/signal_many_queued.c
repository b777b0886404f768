// Real-time signals queue as far as the limit of the process goes: each comes, those with the
// lowest number first, and of one number in their order.
//
// expect: passed
// within: random, 5 runs
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

enum { kEach = 300 };
static sigset_t set;
static int handled;

static void note(int signal, siginfo_t* info, void* context) {
  (void)signal, (void)context;
  assert(info->si_value.sival_int == handled && info->si_code == SI_QUEUE);
  handled++;
}

static void* take_all(void* unused) {
  siginfo_t info;
  for (int number = SIGRTMIN; number <= SIGRTMIN + 1; number++) {
    for (int i = 0; i < kEach; i++) {
      assert(sigwaitinfo(&set, &info) == number && info.si_value.sival_int == i);
    }
  }
  return unused;
}

int main(void) {
  sigemptyset(&set);
  sigaddset(&set, SIGRTMIN);
  sigaddset(&set, SIGRTMIN + 1);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  for (int i = 0; i < kEach; i++) {
    assert(sigqueue(getpid(), SIGRTMIN + 1, (union sigval){.sival_int = i}) == 0);
    assert(sigqueue(getpid(), SIGRTMIN, (union sigval){.sival_int = i}) == 0);
  }
  pthread_t thread;
  pthread_create(&thread, NULL, take_all, NULL);
  pthread_join(thread, NULL);

  struct rlimit most;
  getrlimit(RLIMIT_SIGPENDING, &most);
  most.rlim_cur = 200;
  setrlimit(RLIMIT_SIGPENDING, &most);
  struct sigaction action = {.sa_sigaction = note, .sa_flags = SA_SIGINFO};
  sigaction(SIGRTMIN, &action, NULL);
  int sent = 0;
  while (sigqueue(getpid(), SIGRTMIN, (union sigval){.sival_int = sent}) == 0) sent++;
  assert(errno == EAGAIN && sent <= 200 && sent > 0);
  pthread_sigmask(SIG_UNBLOCK, &set, NULL);
  assert(handled == sent);
}
