// A named piece of shared memory is made with O_EXCL and left behind.
//
// expect: passed
// within: random, 50 runs
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

static const char* const name = "/unravel_isolated_shared_memory";
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int* shared;

static void* count(void* unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  if (!shared) {
    const int memory = shm_open(name, O_CREAT | O_EXCL | O_RDWR, 0600);
    assert(memory >= 0);
    assert(ftruncate(memory, 4096) == 0);
    shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
    assert(shared != MAP_FAILED);
    close(memory);
  }
  ++*shared;
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  shm_unlink(name);  // of a run without unravel
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, count, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  assert(*shared == 2);
  puts("ok");
}
