// After a handler with SA_RESTART, sem_wait and read wait on; poll and sleep end all the same.
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

static sem_t items;
static int ends[2];
static atomic_int stage;

static void interrupt(int signal) { (void)signal; }

static void* be_interrupted(void* unused) {
  (void)unused;
  char c;
  struct pollfd wish = {.fd = ends[0], .events = POLLIN};
  assert(sem_wait(&items) == 0);
  assert(read(ends[0], &c, 1) == 1);
  stage = 1;
  assert(poll(&wish, 1, -1) == -1 && errno == EINTR);
  stage = 2;
  assert(sleep(1000) > 0);
  stage = 3;
  return NULL;
}

int main(void) {
  sem_init(&items, 0, 0);
  assert(pipe(ends) == 0);
  struct sigaction action = {.sa_handler = interrupt, .sa_flags = SA_RESTART};
  assert(sigaction(SIGUSR1, &action, NULL) == 0);
  pthread_t thread;
  pthread_create(&thread, NULL, be_interrupted, NULL);
  pthread_kill(thread, SIGUSR1);
  sem_post(&items);
  pthread_kill(thread, SIGUSR1);
  assert(write(ends[1], "x", 1) == 1);
  while (stage == 0) usleep(1000);
  for (int now = 1; now < 3; now++) {
    while (stage == now) {
      pthread_kill(thread, SIGUSR1);
      usleep(1000);
    }
  }
  pthread_join(thread, NULL);
  puts("ok");
}
