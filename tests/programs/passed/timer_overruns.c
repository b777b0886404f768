// Periods that pass while a timer's signal is pending are counted; a timer may be deleted by its
// own handler.
//
// expect: passed
// within: random, 15 runs
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

static timer_t timer;
static volatile sig_atomic_t handled;

static void count(int signal, siginfo_t* info, void* context) {
  (void)signal, (void)context;
  assert(info->si_code == SI_TIMER && info->si_value.sival_ptr == &timer);
  assert(info->si_overrun == timer_getoverrun(timer));
  // Ten periods have passed, of which one is the signal; the kernel may be late, too.
  if (handled == 0) assert(info->si_overrun >= 9);
  handled++;
}

static void delete_it(int signal) {
  (void)signal;
  assert(timer_delete(timer) == 0);
  handled++;
}

static void* beside(void* unused) {
  sigset_t set;
  sigfillset(&set);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  for (int i = 0; i < 5; i++) sched_yield();
  return unused;
}

int main(void) {
  struct sigaction action = {.sa_sigaction = count, .sa_flags = SA_SIGINFO};
  sigaction(SIGUSR1, &action, NULL);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
  event.sigev_value.sival_ptr = &timer;
  assert(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
  struct itimerspec value = {.it_value = {.tv_nsec = 1000000}, .it_interval = {.tv_nsec = 1000000}};
  pthread_t thread;
  pthread_create(&thread, NULL, beside, NULL);
  assert(timer_settime(timer, 0, &value, NULL) == 0);
  usleep(10500);
  pthread_sigmask(SIG_UNBLOCK, &set, NULL);
  assert(handled >= 1);
  value = (struct itimerspec){0};
  assert(timer_settime(timer, 0, &value, NULL) == 0);
  pthread_join(thread, NULL);

  handled = 0;
  signal(SIGUSR1, delete_it);
  value.it_value.tv_nsec = 1000000;
  value.it_interval.tv_nsec = 1000000;
  assert(timer_settime(timer, 0, &value, NULL) == 0);
  while (!handled) usleep(100);
  usleep(5000);
  assert(handled == 1);
  assert(timer_gettime(timer, &value) == -1 && errno == EINVAL);
}
