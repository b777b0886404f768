// The CPU time of children that were waited for is told by times() and getrusage(), and repeats.
//
// expect: passed
// within: random, 5 runs
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/times.h>
#include <sys/wait.h>
#include <unistd.h>

static void* make_child(void* unused) {
  struct tms before, after;
  assert(times(&before) != (clock_t)-1);
  assert(before.tms_cutime == 0 && before.tms_cstime == 0);
  const pid_t child = fork();
  if (child == 0) {
    struct tms now;
    do times(&now);
    while (now.tms_utime + now.tms_stime < 5);
    _exit(0);
  }
  assert(waitpid(child, NULL, 0) == child);
  assert(times(&after) != (clock_t)-1);
  assert(after.tms_cutime + after.tms_cstime >= 4);
  struct rusage usage;
  assert(getrusage(RUSAGE_CHILDREN, &usage) == 0);
  assert(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec > 0 ||
         usage.ru_utime.tv_usec + usage.ru_stime.tv_usec >= 40000);
  printf("%d\n", after.tms_cutime + after.tms_cstime >= 4);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, make_child, NULL);
  pthread_join(thread, NULL);
  puts("ok");
}
