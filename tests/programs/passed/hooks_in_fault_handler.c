// Threads access memory that is not theirs, and their handler, which accesses memory too, jumps out
// of it.
//
// expect: passed
// within: random, 40 runs
// flags: -fsanitize=thread
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/mman.h>

enum { kRounds = 3 };

static __thread sigjmp_buf back;
static __thread volatile int faults;
static atomic_int handled;
static char* forbidden;  // a byte for each thread

static void on_fault(int signal) {
  assert(signal == SIGSEGV);
  faults++;
  atomic_fetch_add(&handled, 1);
  siglongjmp(back, 1);
}

static void touch(volatile char* byte) {
  if (sigsetjmp(back, 1) == 0) {
    *byte = 1;
    assert(0);
  }
}

static void* work(void* byte) {
  for (int i = 0; i < kRounds; i++) touch(byte);
  assert(faults == kRounds);
  return NULL;
}

int main(void) {
  forbidden = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert(forbidden != MAP_FAILED);
  const struct sigaction action = {.sa_handler = on_fault};
  assert(sigaction(SIGSEGV, &action, NULL) == 0);
  touch(forbidden);

  pthread_t threads[2];
  for (int i = 0; i < 2; i++)
    assert(pthread_create(&threads[i], NULL, work, forbidden + 8 + 8 * i) == 0);
  touch(forbidden);
  for (int i = 0; i < 2; i++) assert(pthread_join(threads[i], NULL) == 0);
  assert(faults == 2);
  assert(handled == 2 * kRounds + 2);
  puts("ok");
}
