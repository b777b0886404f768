// Every thread waits without a limit, for what only a handler can bring; a child sends the signal.
//
// expect: passed
// within: random, 5 runs
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t handled;
static sem_t posted;

static void note(int signal) {
  (void)signal;
  handled = 1;
  sem_post(&posted);
}

static void* wait_for_post(void* unused) {
  while (sem_wait(&posted) != 0) assert(errno == EINTR);
  return unused;
}

int main(void) {
  sem_init(&posted, 0, 0);
  signal(SIGUSR1, note);
  pid_t parent = getpid();
  pid_t child = fork();
  if (child == 0) {
    usleep(30000);
    kill(parent, SIGUSR1);
    _exit(0);
  }
  pthread_t thread;
  pthread_create(&thread, NULL, wait_for_post, NULL);
  int set = epoll_create1(0);
  struct epoll_event event = {.events = EPOLLIN};
  assert(epoll_ctl(set, EPOLL_CTL_ADD, eventfd(0, 0), &event) == 0);
  if (!handled) assert(epoll_wait(set, &event, 1, -1) == -1 && errno == EINTR);
  pthread_join(thread, NULL);
  assert(handled && waitpid(child, NULL, 0) == child);
}
