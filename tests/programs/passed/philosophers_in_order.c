// Five philosophers who take the fork of the lower number first never deadlock.
//
// expect: passed
// within: random, 50 runs
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

enum { kPhilosophers = 5, kMeals = 2 };

static pthread_mutex_t forks[kPhilosophers];

static void* dine(void* seat) {
  const intptr_t left = (intptr_t)seat;
  const intptr_t right = (left + 1) % kPhilosophers;
  const intptr_t low = left < right ? left : right;
  const intptr_t high = left < right ? right : left;
  for (int meal = 0; meal < kMeals; meal++) {
    pthread_mutex_lock(&forks[low]);
    pthread_mutex_lock(&forks[high]);
    pthread_mutex_unlock(&forks[high]);
    pthread_mutex_unlock(&forks[low]);
  }
  return NULL;
}

int main(void) {
  for (int i = 0; i < kPhilosophers; i++) pthread_mutex_init(&forks[i], NULL);
  pthread_t threads[kPhilosophers];
  for (intptr_t i = 0; i < kPhilosophers; i++) pthread_create(&threads[i], NULL, dine, (void*)i);
  for (int i = 0; i < kPhilosophers; i++) pthread_join(threads[i], NULL);
  puts("ok");
}
