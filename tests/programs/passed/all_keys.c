// All thread-specific keys that libc has are the program's, with their values and destructors.
//
// expect: passed
// within: random, 10 runs
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

static pthread_key_t keys[PTHREAD_KEYS_MAX];
static int count, destroyed;

static void destroy(void* value) {
  (void)value;
  destroyed++;
}

static void* use(void* unused) {
  for (int i = 0; i < count; i++) {
    assert(pthread_getspecific(keys[i]) == NULL);
    assert(pthread_setspecific(keys[i], (void*)(intptr_t)(i + 1)) == 0);
  }
  for (int i = 0; i < count; i++) assert(pthread_getspecific(keys[i]) == (void*)(intptr_t)(i + 1));
  return unused;
}

int main(void) {
  pthread_key_t more;
  assert(sysconf(_SC_THREAD_KEYS_MAX) == PTHREAD_KEYS_MAX);
  while (count < PTHREAD_KEYS_MAX && pthread_key_create(&keys[count], destroy) == 0) count++;
  assert(count == PTHREAD_KEYS_MAX);
  assert(pthread_key_create(&more, NULL) == EAGAIN);
  pthread_t thread;
  pthread_create(&thread, NULL, use, NULL);
  pthread_join(thread, NULL);
  assert(destroyed == count);
  for (int i = 0; i < count; i++) assert(pthread_key_delete(keys[i]) == 0);
  assert(pthread_setspecific(keys[count - 1], &more) == EINVAL);
  assert(pthread_key_delete(keys[count - 1]) == EINVAL);
  puts("ok");
}
