// Before its first thread the program reads what a child says, which comes in another number of
// portions each time. Where its threads are switched afterwards must not depend on that.
//
// expect: passed
// within: random, 10 runs
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static void say_in_portions(int descriptor) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  const int portions = 1 + (int)(now.tv_nsec / 1000 % 7);
  for (int i = 0; i < portions; ++i) {
    if (write(descriptor, ".", 1) != 1) _exit(1);
    usleep(1000);
  }
  _exit(0);
}

static void* add(void* unused) {
  for (int i = 0; i < 5; ++i) {
    pthread_mutex_lock(&mutex);
    ++sum;
    pthread_mutex_unlock(&mutex);
  }
  return unused;
}

int main(void) {
  int ends[2], status;
  char byte;
  assert(pipe(ends) == 0);
  const pid_t child = fork();
  if (child == 0) say_in_portions(ends[1]);
  close(ends[1]);
  while (read(ends[0], &byte, 1) == 1) {
  }
  close(ends[0]);
  assert(waitpid(child, &status, 0) == child && status == 0);

  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, add, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  assert(sum == 10);
  return 0;
}
