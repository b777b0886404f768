// One thread forks children that end at once; another one reaps them and finds their statuses.
//
// expect: passed
// within: random, 20 runs
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static sem_t forked;
static pid_t children[2];

static void* fork_children(void* unused) {
  (void)unused;
  for (int i = 0; i < 2; i++) {
    pid_t child = fork();
    if (child == 0) _exit(10 + i);
    assert(child > 0);
    children[i] = child;
    sem_post(&forked);
  }
  return NULL;
}

static void* reap_children(void* unused) {
  (void)unused;
  for (int i = 0; i < 2; i++) {
    int status = 0;
    sem_wait(&forked);
    assert(waitpid(children[i], &status, 0) == children[i]);
    assert(WIFEXITED(status) && WEXITSTATUS(status) == 10 + i);
  }
  assert(wait(NULL) == -1);
  return NULL;
}

int main(void) {
  sem_init(&forked, 0, 0);
  pthread_t forker, reaper;
  pthread_create(&reaper, NULL, reap_children, NULL);
  pthread_create(&forker, NULL, fork_children, NULL);
  pthread_join(forker, NULL);
  pthread_join(reaper, NULL);
  puts("ok");
}
