// Threads are what their attributes say: on these CPUs, on a stack of the program's, on the
// smallest one that there is. Attributes that nobody can fulfil are refused.
//
// expect: passed
// within: random, 20 runs
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static pthread_rwlock_t readers = PTHREAD_RWLOCK_INITIALIZER;
static sem_t semaphore;
static int begun, handled;

static void on_signal(int number) {
  (void)number;
  handled++;
}

static void* check_cpu(void* unused) {
  cpu_set_t set;
  assert(pthread_getaffinity_np(pthread_self(), sizeof(set), &set) == 0);
  assert(CPU_COUNT(&set) == 1 && CPU_ISSET(0, &set));
  assert(sched_getcpu() == 0);
  return unused;
}

// On 16 KiB.
static void* use_little(void* ends) {
  pthread_mutex_lock(&lock);
  begun++;
  pthread_cond_broadcast(&changed);
  while (begun < 2) pthread_cond_wait(&changed, &lock);
  pthread_mutex_unlock(&lock);
  pthread_barrier_wait(&barrier);
  pthread_rwlock_rdlock(&readers);
  pthread_rwlock_unlock(&readers);
  sem_post(&semaphore);
  sem_wait(&semaphore);
  const struct timespec moment = {.tv_nsec = 1000};
  nanosleep(&moment, NULL);
  raise(SIGUSR1);
  char byte = 0;
  assert(write(((int*)ends)[1], &byte, 1) == 1);
  struct pollfd wish = {.fd = ((int*)ends)[0], .events = POLLIN};
  assert(poll(&wish, 1, -1) >= 0);
  assert(read(((int*)ends)[0], &byte, 1) == 1);
  return NULL;
}

static void* check_stack(void* begin) {
  char here;
  assert(&here >= (char*)begin && &here < (char*)begin + 65536);
  return NULL;
}

int main(void) {
  pthread_barrier_init(&barrier, NULL, 2);
  sem_init(&semaphore, 0, 0);
  signal(SIGUSR1, on_signal);
  pthread_attr_t attributes;
  pthread_t threads[2];
  cpu_set_t first, seen;
  assert(pthread_getattr_np(pthread_self(), &attributes) == 0);
  assert(pthread_attr_getaffinity_np(&attributes, sizeof(seen), &seen) == 0);
  assert(sched_getaffinity(0, sizeof(first), &first) == 0 && CPU_EQUAL(&first, &seen));
  pthread_attr_destroy(&attributes);
  CPU_ZERO(&first);
  CPU_SET(0, &first);
  pthread_attr_init(&attributes);
  assert(pthread_attr_setaffinity_np(&attributes, sizeof(first), &first) == 0);
  assert(pthread_create(&threads[0], &attributes, check_cpu, NULL) == 0);
  pthread_join(threads[0], NULL);
  assert(pthread_attr_getaffinity_np(&attributes, sizeof(seen), &seen) == 0);
  assert(CPU_EQUAL(&first, &seen));
  CPU_ZERO(&first);
  CPU_SET(CPU_SETSIZE - 1, &first);
  assert(pthread_attr_setaffinity_np(&attributes, sizeof(first), &first) == 0);
  assert(pthread_create(&threads[0], &attributes, check_cpu, NULL) == EINVAL);
  pthread_attr_destroy(&attributes);

  int ends[2];
  assert(pipe(ends) == 0);
  pthread_attr_init(&attributes);
  assert(pthread_attr_setstacksize(&attributes, PTHREAD_STACK_MIN) == 0);
  for (int i = 0; i < 2; i++)
    assert(pthread_create(&threads[i], &attributes, use_little, ends) == 0);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  assert(handled == 2);

  void* stack = aligned_alloc(4096, 65536);
  assert(pthread_attr_setstack(&attributes, stack, 65536) == 0);
  assert(pthread_create(&threads[0], &attributes, check_stack, stack) == 0);
  pthread_join(threads[0], NULL);
  free(stack);
  puts("ok");
}
