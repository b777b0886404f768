// At the end of its work a thread expects that nobody has large blocks of memory, while another
// is about to give its own back.
//
// expect: assert
// within: random, 200 runs
// bug: audit, work
// flags: -fsanitize=thread
// points: memory; the allocator is what the threads share, and has no hooks
#include <assert.h>
#include <malloc.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void* volatile block;  // or the optimiser would do without

static void* work(void* unused) {
  block = malloc(1 << 20);
  free(block);
  return unused;
}

static void* audit(void* unused) {
  assert(mallinfo2().hblks == 0);
  return unused;
}

int main(void) {
  pthread_t worker, auditor;
  pthread_create(&worker, NULL, work, NULL);
  pthread_create(&auditor, NULL, audit, NULL);
  pthread_join(worker, NULL);
  pthread_join(auditor, NULL);
  puts("ok");
}
