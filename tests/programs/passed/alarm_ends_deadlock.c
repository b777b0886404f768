// A thread that waits for itself is let go by the handler of an alarm, which jumps out; such a wait
// is no deadlock while the alarm has not come.
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
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void jump(int signal) { siglongjmp(back, signal); }

static void* beside(void* unused) {
  sigset_t set;
  sigfillset(&set);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  usleep(1);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, beside, NULL);
  signal(SIGALRM, jump);
  pthread_mutex_lock(&lock);
  if (sigsetjmp(back, 1) == 0) {
    alarm(1);
    pthread_mutex_lock(&lock);
    assert(!"nobody has given it back");
  }
  pthread_mutex_unlock(&lock);
  pthread_join(thread, NULL);
}
