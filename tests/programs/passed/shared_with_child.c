// A barrier, a reader-writer lock, a spin lock and a semaphore in memory that a child shares: each
// side waits for the other.
//
// expect: passed
// within: random, 20 runs
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define ROUNDS 3

static struct {
  pthread_barrier_t barrier;
  pthread_rwlock_t readers;
  pthread_spinlock_t spin;
  sem_t full;
  int written, ended;
} * shared;

static void prepare(void) {
  shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  assert(shared != MAP_FAILED);
  pthread_barrierattr_t barrier;
  pthread_barrierattr_init(&barrier);
  pthread_barrierattr_setpshared(&barrier, PTHREAD_PROCESS_SHARED);
  assert(pthread_barrier_init(&shared->barrier, &barrier, 3) == 0);
  pthread_rwlockattr_t readers;
  pthread_rwlockattr_init(&readers);
  pthread_rwlockattr_setpshared(&readers, PTHREAD_PROCESS_SHARED);
  assert(pthread_rwlock_init(&shared->readers, &readers) == 0);
  assert(pthread_spin_init(&shared->spin, PTHREAD_PROCESS_SHARED) == 0);
  assert(sem_init(&shared->full, 1, 0) == 0);
}

static void child(void) {
  pthread_rwlock_wrlock(&shared->readers);
  pthread_spin_lock(&shared->spin);
  pthread_barrier_wait(&shared->barrier);
  usleep(3000);
  shared->written = 1;
  pthread_rwlock_unlock(&shared->readers);
  usleep(3000);
  shared->ended = 1;
  pthread_spin_unlock(&shared->spin);
  for (int i = 0; i < ROUNDS; i++) pthread_barrier_wait(&shared->barrier);
  sem_post(&shared->full);
  _exit(0);
}

static void* meet(void* unused) {
  for (int i = 0; i <= ROUNDS; i++) pthread_barrier_wait(&shared->barrier);
  return unused;
}

static void* make_child(void* unused) {
  prepare();
  pthread_t other;
  pthread_create(&other, NULL, meet, NULL);
  const pid_t made = fork();
  if (made == 0) child();
  pthread_barrier_wait(&shared->barrier);
  pthread_rwlock_rdlock(&shared->readers);
  assert(shared->written == 1);
  pthread_rwlock_unlock(&shared->readers);
  pthread_spin_lock(&shared->spin);
  assert(shared->ended == 1);
  pthread_spin_unlock(&shared->spin);
  for (int i = 0; i < ROUNDS; i++) pthread_barrier_wait(&shared->barrier);
  assert(sem_wait(&shared->full) == 0);
  int status = 0;
  assert(waitpid(made, &status, 0) == made && status == 0);
  pthread_join(other, NULL);
  assert(pthread_barrier_destroy(&shared->barrier) == 0);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, make_child, NULL);
  pthread_join(thread, NULL);
  puts("ok");
}
