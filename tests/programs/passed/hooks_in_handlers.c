// Handlers access memory, in threads that do so themselves: on a signal from another thread, and
// when a timer expires.
//
// expect: passed
// within: random, 40 runs
// flags: -fsanitize=thread
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/time.h>

enum { kRounds = 8 };

static atomic_int counter;
static atomic_int told;
static atomic_int ticked;
static __thread int mine;  // of the thread that runs the handler

static void on_user(int signal) {
  mine += signal == SIGUSR1;
  for (int i = 0; i < 3; i++) atomic_fetch_add(&counter, 1);
  atomic_fetch_add(&told, 1);
}

static void on_alarm(int signal) {
  assert(signal == SIGALRM);
  for (int i = 0; i < 3; i++) atomic_fetch_add(&counter, 1);
  atomic_fetch_add(&ticked, 1);
}

static void* work(void* unused) {
  (void)unused;
  for (int i = 0; i < kRounds; i++) atomic_fetch_add(&counter, 1);
  while (!atomic_load(&told) || !atomic_load(&ticked)) {
    struct timeval now;
    gettimeofday(&now, NULL);
  }
  return NULL;
}

int main(void) {
  struct sigaction action = {.sa_handler = on_user};
  assert(sigaction(SIGUSR1, &action, NULL) == 0);
  action.sa_handler = on_alarm;
  assert(sigaction(SIGALRM, &action, NULL) == 0);

  pthread_t threads[2];
  for (int i = 0; i < 2; i++) assert(pthread_create(&threads[i], NULL, work, NULL) == 0);
  const struct itimerval soon = {.it_value = {.tv_usec = 50}};
  assert(setitimer(ITIMER_REAL, &soon, NULL) == 0);
  assert(pthread_kill(threads[0], SIGUSR1) == 0);
  for (int i = 0; i < 2; i++) assert(pthread_join(threads[i], NULL) == 0);
  assert(told == 1 && ticked == 1);
  assert(mine == 0);
  assert(counter == 2 * kRounds + 6);
  puts("ok");
}
