// A child process holds a mutex in shared memory while two threads of its parent wait for it.
//
// expect: passed
// within: random, 20 runs
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t* lock;
static int counter;

static void* add(void* unused) {
  (void)unused;
  pthread_mutex_lock(lock);
  counter++;
  pthread_mutex_unlock(lock);
  return NULL;
}

static void* wait_and_add(void* unused) {
  (void)unused;
  lock = mmap(NULL, sizeof(*lock), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
  pthread_mutex_init(lock, &attributes);

  int ready[2];
  assert(pipe(ready) == 0);
  const pid_t child = fork();
  if (child == 0) {
    pthread_mutex_lock(lock);
    if (write(ready[1], "x", 1) != 1) _exit(1);
    usleep(5000);
    pthread_mutex_unlock(lock);
    _exit(0);
  }
  char byte;
  assert(read(ready[0], &byte, 1) == 1);
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, add, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  assert(counter == 2);
  assert(waitpid(child, NULL, 0) == child);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, wait_and_add, NULL);
  pthread_join(thread, NULL);
  puts("ok");
}
