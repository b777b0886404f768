// A semaphore with a name, opened twice, hands a token back and forth.
//
// expect: passed
// within: random, 50 runs
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <unistd.h>

static sem_t* token;
static int counter;

static void* add(void* unused) {
  (void)unused;
  for (int i = 0; i < 3; i++) {
    assert(sem_wait(token) == 0);
    counter++;
    assert(sem_post(token) == 0);
  }
  return NULL;
}

static void* open_and_use(void* unused) {
  (void)unused;
  char name[64];
  snprintf(name, sizeof(name), "/unravel-test-%d", (int)getpid());
  token = sem_open(name, O_CREAT | O_EXCL, 0600, 1);
  assert(token != SEM_FAILED);
  sem_t* again = sem_open(name, 0);
  assert(again != SEM_FAILED);
  assert(sem_unlink(name) == 0);

  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, add, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  assert(counter == 6);
  assert(sem_trywait(again) == 0);
  assert(sem_trywait(token) == -1 && errno == EAGAIN);
  sem_close(again);
  sem_close(token);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, open_and_use, NULL);
  pthread_join(thread, NULL);
  puts("ok");
}
