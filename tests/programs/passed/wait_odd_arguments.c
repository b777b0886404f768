// Waits without a time or with a wrong one, and joins of threads that cannot be joined, answer as
// libc does.
//
// expect: passed
// within: random, 20 runs
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

static sigset_t set;
static const struct timespec wrong = {.tv_nsec = 1000000000};
static sem_t held;

static void* send_two(void* unused) {
  assert(kill(getpid(), SIGUSR1) == 0);
  assert(kill(getpid(), SIGUSR2) == 0);
  return unused;
}

static void* wait_for_post(void* joinable) {
  if (joinable) assert(pthread_join(pthread_self(), NULL) == EDEADLK);
  sem_wait(&held);
  return NULL;
}

static void* end(void* unused) { return unused; }

int main(void) {
  sem_init(&held, 0, 0);
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  sigaddset(&set, SIGUSR2);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  assert(sigtimedwait(&set, NULL, &wrong) == -1 && errno == EINVAL);
  pthread_t thread;
  pthread_create(&thread, NULL, send_two, NULL);
  int first = sigtimedwait(&set, NULL, NULL);
  assert(first == SIGUSR1 || first == SIGUSR2);
  assert(sigwaitinfo(&set, NULL) == SIGUSR1 + SIGUSR2 - first);
  assert(pthread_timedjoin_np(thread, NULL, NULL) == 0);

  pthread_create(&thread, NULL, wait_for_post, &thread);
  struct timespec over = {0};
  assert(pthread_clockjoin_np(thread, NULL, CLOCK_MONOTONIC, &over) == ETIMEDOUT);
  assert(pthread_clockjoin_np(thread, NULL, CLOCK_PROCESS_CPUTIME_ID, &over) == EINVAL);
  assert(sem_timedwait(&held, &wrong) == -1 && errno == EINVAL);
  sem_post(&held);
  assert(pthread_clockjoin_np(thread, NULL, CLOCK_MONOTONIC, NULL) == 0);

  pthread_create(&thread, NULL, wait_for_post, NULL);
  pthread_detach(thread);
  assert(pthread_join(thread, NULL) == EINVAL);
  sem_post(&held);
  pthread_create(&thread, NULL, end, NULL);
  while (pthread_tryjoin_np(thread, NULL) != 0) sched_yield();
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  assert(pthread_mutex_timedlock(&lock, &wrong) == 0);
  sem_post(&held);
  assert(sem_timedwait(&held, &wrong) == -1 && errno == EINVAL);
  assert(nanosleep(&wrong, NULL) == -1 && errno == EINVAL);
  assert(clock_nanosleep(CLOCK_THREAD_CPUTIME_ID, 0, &over, NULL) == EINVAL);
  assert(clock_nanosleep(9999, 0, &over, NULL) == EINVAL);
}
