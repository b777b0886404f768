// While threads count, one of them forks a child that accesses memory and exits, and another one
// that does so and becomes another program.
//
// expect: passed
// within: random, 30 runs
// flags: -fsanitize=thread
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { kRounds = 6 };

static atomic_int counter;
static int plain[1000];

static void count(void) {
  for (int i = 0; i < kRounds; i++) atomic_fetch_add(&counter, 1);
}

static int sum_of_plain(void) {
  int sum = 0;
  for (int round = 0; round < 20; round++) {
    for (int i = 0; i < 1000; i++) plain[i]++;
  }
  for (int i = 0; i < 1000; i++) sum += plain[i];
  return sum;
}

static void expect_status(pid_t child, int wanted) {
  int status = 0;
  assert(waitpid(child, &status, 0) == child);
  assert(WIFEXITED(status) && WEXITSTATUS(status) == wanted);
}

static void* forks(void* unused) {
  const pid_t plain_child = fork();
  if (plain_child == 0) {
    count();
    exit(sum_of_plain() == 20 * 1000 ? 7 : 8);
  }
  count();
  const pid_t other = fork();
  if (other == 0) {
    if (sum_of_plain() == 20 * 1000) execl("/bin/true", "true", (char*)NULL);
    _exit(9);
  }
  expect_status(plain_child, 7);
  expect_status(other, 0);
  return unused;
}

static void* counts(void* unused) {
  count();
  return unused;
}

int main(void) {
  pthread_t threads[2];
  assert(pthread_create(&threads[0], NULL, forks, NULL) == 0);
  assert(pthread_create(&threads[1], NULL, counts, NULL) == 0);
  count();
  for (int i = 0; i < 2; i++) assert(pthread_join(threads[i], NULL) == 0);
  assert(counter == 3 * kRounds);
  assert(plain[0] == 0);
  puts("ok");
}
