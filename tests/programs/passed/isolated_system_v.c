// System V semaphores with a fixed key are made and left behind.
//
// expect: passed
// within: random, 50 runs
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/ipc.h>
#include <sys/sem.h>
#include <sys/shm.h>

static const key_t key = 0x756e7261;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int made;

static void* make(void* unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  if (semget(key, 1, IPC_CREAT | IPC_EXCL | 0600) >= 0) made++;
  if (shmget(key, 4096, IPC_CREAT | IPC_EXCL | 0600) >= 0) made++;
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  // Of a run without unravel.
  semctl(semget(key, 0, 0), 0, IPC_RMID);
  shmctl(shmget(key, 0, 0), IPC_RMID, NULL);
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, make, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  assert(made == 2);
  puts("ok");
}
