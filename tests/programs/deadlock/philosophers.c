// Four philosophers sit down together; each takes the left fork first.
//
// expect: deadlock
// within: random, 300 runs
// bug: dine
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

enum { kPhilosophers = 4, kMeals = 2 };

static pthread_mutex_t forks[kPhilosophers];
static pthread_barrier_t seated;

static void* dine(void* seat) {
  const intptr_t left = (intptr_t)seat;
  const intptr_t right = (left + 1) % kPhilosophers;
  pthread_barrier_wait(&seated);
  for (int meal = 0; meal < kMeals; meal++) {
    pthread_mutex_lock(&forks[left]);
    pthread_mutex_lock(&forks[right]);
    pthread_mutex_unlock(&forks[right]);
    pthread_mutex_unlock(&forks[left]);
  }
  return NULL;
}

int main(void) {
  pthread_barrier_init(&seated, NULL, kPhilosophers);
  for (int i = 0; i < kPhilosophers; i++) pthread_mutex_init(&forks[i], NULL);
  pthread_t threads[kPhilosophers];
  for (intptr_t i = 0; i < kPhilosophers; i++) pthread_create(&threads[i], NULL, dine, (void*)i);
  for (int i = 0; i < kPhilosophers; i++) pthread_join(threads[i], NULL);
  puts("ok");
}
