// A timer calls a function in a thread of its own, once or again and again, until it is deleted.
//
// expect: passed
// within: random, 15 runs
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

static sem_t called;
static pthread_t creator;
static int last;

static void call(union sigval value) {
  assert(!pthread_equal(pthread_self(), creator));
  pthread_attr_t attributes;
  int state = -1;
  pthread_getattr_np(pthread_self(), &attributes);
  pthread_attr_getdetachstate(&attributes, &state);
  assert(state == PTHREAD_CREATE_DETACHED);
  pthread_attr_destroy(&attributes);
  last = value.sival_int;
  sem_post(&called);
}

static timer_t timer_for(int value, pthread_attr_t* attributes) {
  struct sigevent event = {.sigev_notify = SIGEV_THREAD};
  event.sigev_notify_function = call;
  event.sigev_notify_attributes = attributes;
  event.sigev_value.sival_int = value;
  timer_t timer;
  assert(timer_create(CLOCK_REALTIME, &event, &timer) == 0);
  return timer;
}

int main(void) {
  creator = pthread_self();
  sem_init(&called, 0, 0);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 1 << 17);
  timer_t once = timer_for(1, &attributes);
  timer_t often = timer_for(2, NULL);
  pthread_attr_destroy(&attributes);
  struct itimerspec value = {.it_value = {.tv_nsec = 1000000}};
  assert(timer_settime(once, 0, &value, NULL) == 0);
  sem_wait(&called);
  assert(last == 1);
  value.it_interval.tv_nsec = 1000000;
  assert(timer_settime(often, 0, &value, NULL) == 0);
  for (int i = 0; i < 3; i++) sem_wait(&called);
  assert(last == 2);
  assert(timer_delete(often) == 0 && timer_delete(once) == 0);
  usleep(3000);
}
