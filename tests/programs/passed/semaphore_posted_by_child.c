// A child process posts a semaphore with a name; a thread of its parent waits for it.
//
// expect: passed
// within: random, 20 runs
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static void* wait_for_child(void* unused) {
  (void)unused;
  char name[64];
  snprintf(name, sizeof(name), "/unravel-child-%d", (int)getpid());
  sem_t* done = sem_open(name, O_CREAT | O_EXCL, 0600, 0);
  assert(done != SEM_FAILED);
  assert(sem_unlink(name) == 0);
  const pid_t child = fork();
  if (child == 0) {
    usleep(5000);
    sem_post(done);
    _exit(0);
  }
  assert(sem_wait(done) == 0);
  assert(waitpid(child, NULL, 0) == child);
  sem_close(done);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, wait_for_child, NULL);
  pthread_join(thread, NULL);
  puts("ok");
}
