// A fork in the middle of busy threads, whose child only ends: nothing of the parent is disturbed.
//
// expect: passed
// within: random, 20 runs
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void* work(void* unused) {
  (void)unused;
  for (int i = 0; i < 5; i++) {
    pthread_mutex_lock(&lock);
    count++;
    pthread_mutex_unlock(&lock);
  }
  return NULL;
}

int main(void) {
  pthread_t workers[2];
  for (int i = 0; i < 2; i++) pthread_create(&workers[i], NULL, work, NULL);
  pid_t child = fork();
  if (child == 0) _exit(7);
  siginfo_t info = {0};
  assert(waitid(P_PID, (id_t)child, &info, WEXITED) == 0);
  assert(info.si_code == CLD_EXITED && info.si_status == 7);
  for (int i = 0; i < 2; i++) pthread_join(workers[i], NULL);
  assert(count == 10);
  puts("ok");
}
