// A periodic timer that is read, polled and stopped, all in virtual time, where waiting
// takes none.
//
// expect: passed
// within: random, 20 runs
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static void* tick(void* unused) {
  const int timer = timerfd_create(CLOCK_MONOTONIC, 0);
  const struct itimerspec every = {{0, 100000000}, {0, 100000000}};
  assert(timerfd_settime(timer, 0, &every, NULL) == 0);
  uint64_t total = 0;
  while (total < 10) {
    uint64_t ticks = 0;
    assert(read(timer, &ticks, sizeof ticks) == sizeof ticks && ticks >= 1);
    total += ticks;
  }
  struct itimerspec left;
  assert(timerfd_gettime(timer, &left) == 0 && left.it_interval.tv_nsec == 100000000);
  close(timer);
  return unused;
}

int main(void) {
  struct timespec begin, end;
  clock_gettime(CLOCK_MONOTONIC, &begin);
  pthread_t thread;
  assert(pthread_create(&thread, NULL, tick, NULL) == 0);

  const int once = timerfd_create(CLOCK_REALTIME, TFD_NONBLOCK | TFD_CLOEXEC);
  struct timespec at;
  clock_gettime(CLOCK_REALTIME, &at);
  at.tv_sec += 1;
  const struct itimerspec in_one = {{0, 0}, at};
  assert(timerfd_settime(once, TFD_TIMER_ABSTIME, &in_one, NULL) == 0);
  uint64_t ticks = 0;
  struct pollfd wish = {.fd = once, .events = POLLIN};
  assert(poll(&wish, 1, -1) == 1 && wish.revents == POLLIN);
  assert(read(once, &ticks, sizeof ticks) == sizeof ticks && ticks == 1);
  assert(read(once, &ticks, sizeof ticks) == -1 && errno == EAGAIN);
  const struct itimerspec never = {{0, 0}, {0, 0}};
  assert(timerfd_settime(once, 0, &never, NULL) == 0);
  assert(poll(&wish, 1, 10) == 0);
  assert(timerfd_create(CLOCK_MONOTONIC, 0x100) == -1 && errno == EINVAL);

  pthread_join(thread, NULL);
  clock_gettime(CLOCK_MONOTONIC, &end);
  assert(end.tv_sec > begin.tv_sec);
}
