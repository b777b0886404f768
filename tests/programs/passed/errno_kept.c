// Synchronisation calls that succeed leave errno alone, also if they had to wait.
//
// expect: passed
// within: random, 50 runs
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdio.h>
#include <unistd.h>

enum { kSentinel = 77 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t barrier;
static sem_t items;
static int ready;

static void synchronise(void) {
  errno = kSentinel;
  pthread_mutex_lock(&lock);
  if (++ready == 2) pthread_cond_broadcast(&changed);
  while (ready < 2) pthread_cond_wait(&changed, &lock);
  pthread_mutex_unlock(&lock);
  assert(errno == kSentinel);

  sem_wait(&items);
  sem_post(&items);
  assert(errno == kSentinel);

  pthread_rwlock_wrlock(&rwlock);
  pthread_rwlock_unlock(&rwlock);
  pthread_rwlock_rdlock(&rwlock);
  pthread_rwlock_unlock(&rwlock);
  assert(errno == kSentinel);

  pthread_barrier_wait(&barrier);
  sched_yield();
  usleep(10);
  assert(errno == kSentinel);
}

static void* work(void* unused) {
  (void)unused;
  synchronise();
  return NULL;
}

int main(void) {
  pthread_barrier_init(&barrier, NULL, 2);
  sem_init(&items, 0, 1);
  errno = kSentinel;
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  assert(errno == kSentinel);
  synchronise();
  pthread_join(thread, NULL);
  assert(errno == kSentinel);
  puts("ok");
}
