// Two loops are cancelled, one that tests for it and one of the asynchronous type that yields; a
// thread cancels itself; one that has ended is cancelled too late.
//
// expect: passed
// within: random, 50 runs
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>

static void* test_for_ever(void* unused) {
  (void)unused;
  for (;;) pthread_testcancel();
}

static void* yield_for_ever(void* unused) {
  (void)unused;
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
  for (;;) sched_yield();
}

static void* cancel_itself(void* unused) {
  pthread_cancel(pthread_self());
  pthread_testcancel();
  return unused;
}

static void* end_at_once(void* result) { return result; }

static void* join(pthread_t thread) {
  void* result = NULL;
  assert(pthread_join(thread, &result) == 0);
  return result;
}

static char token[] = "result";

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], NULL, test_for_ever, NULL);
  pthread_create(&threads[1], NULL, yield_for_ever, NULL);
  pthread_create(&threads[2], NULL, cancel_itself, NULL);
  assert(pthread_cancel(threads[0]) == 0);
  assert(pthread_cancel(threads[1]) == 0);
  for (int i = 0; i < 3; i++) assert(join(threads[i]) == PTHREAD_CANCELED);

  pthread_t early;
  pthread_create(&early, NULL, end_at_once, "result");
  while (pthread_tryjoin_np(early, NULL) != 0) sched_yield();
  pthread_create(&early, NULL, end_at_once, token);
  assert(pthread_cancel(early) == 0);
  void* result = join(early);  // it has no cancellation point
  assert(result == token);
  puts("ok");
}
