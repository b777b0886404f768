// A timer whose callback runs in a thread that the C library makes.
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>

static sem_t rung;

static void ring(union sigval unused) {
  (void)unused;
  sem_post(&rung);
}

static void* wait_for_ring(void* unused) {
  sem_wait(&rung);
  return unused;
}

int main(void) {
  sem_init(&rung, 0, 0);
  struct sigevent event = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = ring};
  timer_t timer;
  if (timer_create(CLOCK_MONOTONIC, &event, &timer) != 0) return 9;
  const struct itimerspec soon = {.it_value = {.tv_nsec = 20000000}};
  timer_settime(timer, 0, &soon, NULL);
  pthread_t thread;
  pthread_create(&thread, NULL, wait_for_ring, NULL);
  pthread_join(thread, NULL);
  puts("rung");
}
