// A handler without SA_RESTART ends sem_wait, sleep, read, poll and nanosleep with EINTR.
//
// expect: passed
// within: random, 40 runs
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

static sem_t never;
static int ends[2];
static atomic_int stage;

static void interrupt(int signal) { (void)signal; }

static void* be_interrupted(void* unused) {
  (void)unused;
  char c;
  struct pollfd wish = {.fd = ends[0], .events = POLLIN};
  struct timespec length = {.tv_sec = 1000}, left = {0};
  assert(sem_wait(&never) == -1 && errno == EINTR);
  stage = 1;
  assert(read(ends[0], &c, 1) == -1 && errno == EINTR);
  stage = 2;
  assert(poll(&wish, 1, -1) == -1 && errno == EINTR);
  stage = 3;
  assert(nanosleep(&length, &left) == -1 && errno == EINTR);
  assert(left.tv_sec > 0);
  stage = 4;
  assert(sleep(1000) > 0);
  stage = 5;
  return NULL;
}

int main(void) {
  sem_init(&never, 0, 0);
  assert(pipe(ends) == 0);
  struct sigaction action = {.sa_handler = interrupt};
  assert(sigaction(SIGUSR1, &action, NULL) == 0);
  pthread_t thread;
  pthread_create(&thread, NULL, be_interrupted, NULL);
  for (int now = 0; now < 5; now++) {
    while (stage == now) {
      pthread_kill(thread, SIGUSR1);
      usleep(1000);
    }
  }
  pthread_join(thread, NULL);
  puts("ok");
}
