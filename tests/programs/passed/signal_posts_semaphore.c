// A handler posts a semaphore; the thread that waits for it goes on.
//
// expect: passed
// within: random, 40 runs
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static sem_t posted, done;

static void post(int signal) {
  (void)signal;
  sem_post(&posted);
}

static void take(sem_t* semaphore) {
  while (sem_wait(semaphore) == -1) assert(errno == EINTR);
}

static void* wait_for_post(void* unused) {
  (void)unused;
  take(&posted);
  sem_post(&done);
  return NULL;
}

int main(void) {
  sem_init(&posted, 0, 0);
  sem_init(&done, 0, 0);
  struct sigaction action = {.sa_handler = post};
  assert(sigaction(SIGUSR1, &action, NULL) == 0);
  pthread_t waiter;
  pthread_create(&waiter, NULL, wait_for_post, NULL);
  assert(kill(getpid(), SIGUSR1) == 0);
  take(&done);
  pthread_join(waiter, NULL);
  puts("ok");
}
