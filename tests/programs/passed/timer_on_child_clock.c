// A timer on the processor time of a child: it comes in time, or is refused as POSIX allows.
//
// expect: passed
// within: random, 50 runs
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static clockid_t child_clock;
static int is_made;

static double child_seconds(void) {
  struct timespec now;
  assert(clock_gettime(child_clock, &now) == 0);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void* await_timer(void* set) {
  int number = 0;
  assert(sigwait(set, &number) == 0 && number == SIGUSR1);
  assert(!is_made || child_seconds() >= 0.02);
  return NULL;
}

int main(void) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  assert(pthread_sigmask(SIG_BLOCK, &set, NULL) == 0);
  const pid_t child = fork();
  assert(child >= 0);
  if (child == 0) {
    for (volatile unsigned long i = 0;; i++) {
    }
  }
  assert(clock_getcpuclockid(child, &child_clock) == 0);
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
  timer_t timer;
  is_made = timer_create(child_clock, &event, &timer) == 0;
  assert(is_made || errno == ENOTSUP);
  if (!is_made) assert(kill(getpid(), SIGUSR1) == 0);
  const struct itimerspec at = {.it_value = {.tv_nsec = 20000000}};
  if (is_made) assert(timer_settime(timer, TIMER_ABSTIME, &at, NULL) == 0);

  pthread_t thread;
  assert(pthread_create(&thread, NULL, await_timer, &set) == 0);
  assert(pthread_join(thread, NULL) == 0);
  assert(kill(child, SIGKILL) == 0);
  assert(waitpid(child, NULL, 0) == child);
}
