// C11: the flag is looked at outside the lock under which it is set, so the signal may come
// between the look and the wait.
//
// expect: lost-wakeup
// within: random, 100 runs
// bug: consume, produce
#include <stdio.h>
#include <threads.h>

static mtx_t lock;
static cnd_t changed;
static int ready;

static int produce(void* unused) {
  (void)unused;
  mtx_lock(&lock);
  ready = 1;
  cnd_signal(&changed);
  mtx_unlock(&lock);
  return 0;
}

static int consume(void* unused) {
  (void)unused;
  if (!ready) {
    mtx_lock(&lock);
    cnd_wait(&changed, &lock);
    mtx_unlock(&lock);
  }
  return 0;
}

int main(void) {
  mtx_init(&lock, mtx_plain);
  cnd_init(&changed);
  thrd_t producer, consumer;
  thrd_create(&consumer, consume, NULL);
  thrd_create(&producer, produce, NULL);
  thrd_join(producer, NULL);
  thrd_join(consumer, NULL);
  puts("ok");
}
