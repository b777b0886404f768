// Asks for the time by a system call in inline assembly, which nobody can stand in front of, and
// takes another way once the real clock is so many seconds ahead of the virtual one.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long limit;

static void real_clock(struct timespec* now) {
  long result;
  asm volatile("syscall"
               : "=a"(result)
               : "0"((long)SYS_clock_gettime), "D"((long)CLOCK_MONOTONIC), "S"(now)
               : "rcx", "r11", "memory");
  if (result != 0) abort();
}

static void* work(void* unused) {
  struct timespec now, real;
  clock_gettime(CLOCK_MONOTONIC, &now);
  real_clock(&real);
  const int times = real.tv_sec - now.tv_sec >= limit ? 3 : 1;
  for (int i = 0; i < times; i++) {
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

int main(int argc, char** argv) {
  pthread_t thread;
  limit = argc > 1 ? atol(argv[1]) : 0;
  pthread_create(&thread, NULL, work, NULL);
  pthread_join(thread, NULL);
  puts("looked");
}
