// C11 threads: results, mutexes, a condition variable, call_once and thread-specific values.
//
// expect: passed
// within: random, 100 runs
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <threads.h>

enum { kThreads = 3 };

static mtx_t lock;
static cnd_t changed;
static once_flag once = ONCE_FLAG_INIT;
static tss_t key;
static int begun, initialised, destroyed;

static void initialise(void) { initialised++; }

static void destroy(void* value) {
  mtx_lock(&lock);
  destroyed += *(int*)value;
  mtx_unlock(&lock);
  free(value);
}

static int work(void* number) {
  call_once(&once, initialise);
  int* value = malloc(sizeof(*value));
  *value = 1;
  assert(tss_set(key, value) == thrd_success);

  mtx_lock(&lock);
  begun++;
  cnd_broadcast(&changed);
  while (begun < kThreads) cnd_wait(&changed, &lock);
  mtx_unlock(&lock);

  assert(tss_get(key) == value);
  thrd_yield();
  if ((int)(size_t)number == 1) thrd_exit(-1);
  return (int)(size_t)number * 100;
}

int main(void) {
  assert(mtx_init(&lock, mtx_plain) == thrd_success);
  assert(cnd_init(&changed) == thrd_success);
  assert(tss_create(&key, destroy) == thrd_success);
  thrd_t threads[kThreads];
  for (int i = 0; i < kThreads; i++) {
    assert(thrd_create(&threads[i], work, (void*)(size_t)i) == thrd_success);
    assert(!thrd_equal(threads[i], thrd_current()));
  }
  for (int i = 0; i < kThreads; i++) {
    int result = 0;
    assert(thrd_join(threads[i], &result) == thrd_success);
    assert(result == (i == 1 ? -1 : i * 100));
  }
  assert(initialised == 1);
  assert(destroyed == kThreads);
  tss_delete(key);
  cnd_destroy(&changed);
  mtx_destroy(&lock);
  puts("ok");
}
