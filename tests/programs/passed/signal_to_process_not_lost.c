// A signal to the process that comes while every thread is in a handler is handled afterwards, and
// one that its thread blocks before it has come to it is handled by another.
//
// expect: passed
// within: random, 60 runs
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t first, second;
static sem_t turn;

static void slow(int signal) {
  (void)signal;
  for (int i = 0; i < 3; i++) usleep(1);
  first++;
}

static void note(int signal) {
  (void)signal;
  second++;
}

static void* send(void* unused) {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, NULL);
  assert(kill(getpid(), SIGUSR1) == 0);
  usleep(1);
  assert(kill(getpid(), SIGUSR2) == 0);
  usleep(1);
  assert(kill(getpid(), SIGRTMIN) == 0);
  sem_post(&turn);
  return unused;
}

static void* block_late(void* unused) {
  sigset_t one;
  sigemptyset(&one);
  sigaddset(&one, SIGRTMIN);
  usleep(1);
  pthread_sigmask(SIG_BLOCK, &one, NULL);
  return unused;
}

static volatile sig_atomic_t third;
static void count(int signal) {
  (void)signal;
  third++;
}

int main(void) {
  sem_init(&turn, 0, 0);
  struct sigaction action = {.sa_handler = slow};
  sigfillset(&action.sa_mask);
  sigaction(SIGUSR1, &action, NULL);
  signal(SIGUSR2, note);
  signal(SIGRTMIN, count);
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, send, NULL);
  pthread_create(&threads[1], NULL, block_late, NULL);
  while (sem_wait(&turn) != 0) {
  }
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  usleep(1);
  assert(first == 1 && second == 1 && third == 1);
}
