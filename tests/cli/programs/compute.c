// A thread computes for a tenth of a second of processor time, without a point on the way.
#include <pthread.h>
#include <sys/syscall.h>
#include <time.h>

// Behind the C library's back, where time is virtual.
static long processor_nanoseconds(void) {
  struct timespec used;
  long number = SYS_clock_gettime;
  __asm__ volatile("syscall"
                   : "+a"(number)
                   : "D"((long)CLOCK_PROCESS_CPUTIME_ID), "S"(&used)
                   : "rcx", "r11", "memory");
  return used.tv_sec * 1000000000L + used.tv_nsec;
}

static void* compute(void* unused) {
  const long end = processor_nanoseconds() + 100000000L;
  while (processor_nanoseconds() < end) {
    for (int i = 0; i < 100000; ++i) __asm__ volatile("");
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, compute, NULL);
  pthread_join(thread, NULL);
  return 0;
}
