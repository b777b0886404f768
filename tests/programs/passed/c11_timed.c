// C11's deadlines and their answers: busy, timed out, done; recursive and timed mutexes; detached
// threads; sleeps.
//
// expect: passed
// within: random, 50 runs
#include <assert.h>
#include <stdio.h>
#include <threads.h>
#include <time.h>

static mtx_t timed, recursive;
static cnd_t never;

static struct timespec soon(void) {
  struct timespec moment;
  timespec_get(&moment, TIME_UTC);
  moment.tv_nsec += 50 * 1000 * 1000;
  if (moment.tv_nsec >= 1000 * 1000 * 1000) moment.tv_sec++, moment.tv_nsec -= 1000 * 1000 * 1000;
  return moment;
}

static int find_it_taken(void* unused) {
  (void)unused;
  assert(mtx_trylock(&timed) == thrd_busy);
  struct timespec moment = soon();
  assert(mtx_timedlock(&timed, &moment) == thrd_timedout);
  return 0;
}

static int nothing(void* unused) {
  (void)unused;
  return 0;
}

int main(void) {
  assert(mtx_init(&timed, mtx_timed) == thrd_success);
  assert(mtx_init(&recursive, mtx_plain | mtx_recursive) == thrd_success);
  assert(cnd_init(&never) == thrd_success);
  assert(mtx_lock(&recursive) == thrd_success);
  assert(mtx_trylock(&recursive) == thrd_success);
  assert(mtx_unlock(&recursive) == thrd_success);
  assert(mtx_unlock(&recursive) == thrd_success);

  assert(mtx_lock(&timed) == thrd_success);
  thrd_t thread;
  thrd_create(&thread, find_it_taken, NULL);
  thrd_join(thread, NULL);
  struct timespec moment = soon();
  assert(cnd_timedwait(&never, &timed, &moment) == thrd_timedout);
  assert(mtx_unlock(&timed) == thrd_success);

  assert(thrd_create(&thread, nothing, NULL) == thrd_success);
  assert(thrd_detach(thread) == thrd_success);
  const struct timespec length = {.tv_nsec = 1000};
  assert(thrd_sleep(&length, NULL) == 0);
  puts("ok");
}
