// Two threads and a child take turns by a condition variable in memory that they share.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define ROUNDS 5

static struct {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  int turn;
} * shared;

static void take_turns(int own) {
  for (int i = 0; i < ROUNDS; i++) {
    pthread_mutex_lock(&shared->lock);
    while (shared->turn % 3 != own) pthread_cond_wait(&shared->changed, &shared->lock);
    shared->turn++;
    pthread_cond_broadcast(&shared->changed);
    pthread_mutex_unlock(&shared->lock);
  }
}

static void* work(void* own) {
  take_turns(*(int*)own);
  return NULL;
}

int main(void) {
  shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  pthread_mutexattr_t lock;
  pthread_mutexattr_init(&lock);
  pthread_mutexattr_setpshared(&lock, PTHREAD_PROCESS_SHARED);
  assert(pthread_mutex_init(&shared->lock, &lock) == 0);
  pthread_condattr_t changed;
  pthread_condattr_init(&changed);
  pthread_condattr_setpshared(&changed, PTHREAD_PROCESS_SHARED);
  assert(pthread_cond_init(&shared->changed, &changed) == 0);

  int numbers[] = {0, 1};
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, work, &numbers[0]);
  const pid_t child = fork();
  if (child == 0) {
    take_turns(2);
    _exit(0);
  }
  pthread_create(&threads[1], NULL, work, &numbers[1]);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  int status = 0;
  assert(waitpid(child, &status, 0) == child && status == 0);
  assert(shared->turn == 3 * ROUNDS);
  assert(pthread_cond_destroy(&shared->changed) == 0);
  puts("ok");
}
