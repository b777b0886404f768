// Makes a thread by clone() alone, which nobody but the kernel knows of, and waits for it in a
// loop.
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static atomic_long count;

static int run(void* unused) {
  (void)unused;
  // No function of the C library may be called here: the thread has no memory of its own for it.
  for (long i = 0; i < 2000000; i++) atomic_store(&count, i);
  atomic_store(&count, -1);
  return 0;
}

static void* work(void* unused) {
  char* stack = malloc(65536);
  const int flags =
      CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM;
  if (clone(run, stack + 65536, flags, NULL) < 0) abort();
  while (atomic_load(&count) >= 0) sched_yield();
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  pthread_join(thread, NULL);
  puts("cloned");
}
