// A thread forks while others run; handlers take the lock before, and give it back on both sides.
//
// expect: passed
// within: random, 30 runs
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter, prepared, in_parent, in_child;

static void prepare(void) {
  pthread_mutex_lock(&lock);
  prepared++;
}

static void go_on(void) {
  in_parent++;
  pthread_mutex_unlock(&lock);
}

static void begin(void) {
  in_child++;
  pthread_mutex_unlock(&lock);
}

static void* add(void* unused) {
  for (int i = 0; i < 3; i++) {
    pthread_mutex_lock(&lock);
    counter++;
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

static void* make_child(void* unused) {
  const pid_t child = fork();
  if (child == 0) {
    pthread_mutex_lock(&lock);
    _exit(in_child == 1 && prepared == 1 && in_parent == 0 ? 42 : 1);
  }
  int status = 0;
  assert(waitpid(child, &status, 0) == child);
  assert(WIFEXITED(status) && WEXITSTATUS(status) == 42);
  return unused;
}

int main(void) {
  pthread_atfork(prepare, go_on, begin);
  pthread_t threads[3];
  pthread_create(&threads[0], NULL, add, NULL);
  pthread_create(&threads[1], NULL, make_child, NULL);
  pthread_create(&threads[2], NULL, add, NULL);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  assert(counter == 6);
  assert(prepared == 1 && in_parent == 1 && in_child == 0);
  puts("ok");
}
