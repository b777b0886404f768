// alarm() and setitimer() end long sleeps; the clock of both is the same.
//
// expect: passed
// within: random, 20 runs
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include <unistd.h>

static volatile sig_atomic_t rings;

static void ring(int signal) {
  assert(signal == SIGALRM);
  rings++;
}

static void* work(void* unused) {
  (void)unused;
  usleep(100);
  return NULL;
}

int main(void) {
  struct sigaction action = {.sa_handler = ring};
  assert(sigaction(SIGALRM, &action, NULL) == 0);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGALRM);
  pthread_t worker;
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  pthread_create(&worker, NULL, work, NULL);
  pthread_sigmask(SIG_UNBLOCK, &set, NULL);
  pthread_join(worker, NULL);

  assert(alarm(1) == 0);
  assert(sleep(100) >= 98);
  assert(rings == 1);

  struct itimerval interval = {.it_interval = {.tv_usec = 5000}, .it_value = {.tv_usec = 5000}};
  assert(setitimer(ITIMER_REAL, &interval, NULL) == 0);
  while (rings < 4) usleep(1000 * 1000);
  interval = (struct itimerval){0};
  assert(setitimer(ITIMER_REAL, &interval, NULL) == 0);
  assert(alarm(100) == 0);
  assert(alarm(0) >= 99);
  puts("ok");
}
