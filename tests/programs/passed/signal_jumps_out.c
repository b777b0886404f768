// A handler leaves by a jump, twice: with the mask that was saved, the second signal comes as well.
//
// expect: passed
// within: random, 20 runs
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <unistd.h>

static sigjmp_buf back;

static void jump(int signal) { siglongjmp(back, signal); }

static void* beside(void* unused) {
  for (int i = 0; i < 5; i++) usleep(10);
  return unused;
}

int main(void) {
  signal(SIGUSR1, jump);
  pthread_t thread;
  assert(pthread_create(&thread, NULL, beside, NULL) == 0);
  for (volatile int times = 0; times < 2; times++) {
    if (sigsetjmp(back, 1) == 0) {
      raise(SIGUSR1);
      assert(!"the handler does not return");
    }
    sigset_t blocked;
    assert(pthread_sigmask(SIG_BLOCK, NULL, &blocked) == 0);
    assert(!sigismember(&blocked, SIGUSR1));
  }
  // Without a saved mask it stays blocked.
  if (sigsetjmp(back, 0) == 0) raise(SIGUSR1);
  sigset_t blocked;
  assert(pthread_sigmask(SIG_BLOCK, NULL, &blocked) == 0);
  assert(sigismember(&blocked, SIGUSR1));
  pthread_join(thread, NULL);
}
