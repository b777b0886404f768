// A thread computes until main tells it to stop, or for as many milliseconds of processor time as
// the file `duration` says. main tells it after a wait of 5 ms; with the argument "join" it never
// does. The program fails if the thread was not stopped.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static volatile int stop = 0;
static long milliseconds = 0;

// Behind the C library's back, where time is virtual.
static long processor_milliseconds(void) {
  struct timespec used;
  long number = SYS_clock_gettime;
  __asm__ volatile("syscall"
                   : "+a"(number)
                   : "D"((long)CLOCK_THREAD_CPUTIME_ID), "S"(&used)
                   : "rcx", "r11", "memory");
  return used.tv_sec * 1000L + used.tv_nsec / 1000000L;
}

static void* compute(void* unused) {
  const long end = processor_milliseconds() + milliseconds;
  while (!stop && processor_milliseconds() < end) {
    for (int i = 0; i < 1000; ++i) __asm__ volatile("");
  }
  assert(stop && "the thread was stopped");
  return unused;
}

static void wait_for_5_ms(void) {
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_nsec += 5000000;
  if (until.tv_nsec >= 1000000000) until.tv_sec += 1, until.tv_nsec -= 1000000000;
  pthread_mutex_lock(&mutex);
  pthread_cond_timedwait(&never, &mutex, &until);
  pthread_mutex_unlock(&mutex);
}

int main(int argc, char** argv) {
  const int waits = argc == 1 || argv[1][0] != 'j';
  FILE* file = fopen("duration", "r");
  if (!file || fscanf(file, "%ld", &milliseconds) != 1) return 2;
  fclose(file);
  pthread_t thread;
  pthread_create(&thread, NULL, compute, NULL);
  if (waits) {
    wait_for_5_ms();
    stop = 1;
  }
  pthread_join(thread, NULL);
  return 0;
}
