// Two threads hand a ball to and fro by two semaphores, strictly in turn.
//
// expect: passed
// within: random, 50 runs
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static sem_t ping, pong;
static int ball;

static void* play(void* unused) {
  (void)unused;
  for (int i = 0; i < 4; i++) {
    sem_wait(&ping);
    assert(ball % 2 == 1);
    ball++;
    sem_post(&pong);
  }
  return NULL;
}

int main(void) {
  sem_init(&ping, 0, 0);
  sem_init(&pong, 0, 0);
  pthread_t thread;
  pthread_create(&thread, NULL, play, NULL);
  for (int i = 0; i < 4; i++) {
    assert(ball % 2 == 0);
    ball++;
    sem_post(&ping);
    sem_wait(&pong);
  }
  pthread_join(thread, NULL);
  assert(ball == 8);
  puts("ok");
}
