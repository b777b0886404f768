// POSIX message queues: full and empty ones, priorities, deadlines, errors, and a signal or a
// call for the first message.
//
// expect: passed
// within: random, 20 runs
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { kMessages = 12 };

static const char name[] = "/unravel-message-queue";
static volatile sig_atomic_t told;

static void tell(int signal) { told = signal; }

static sem_t called;
static int given;

static void be_called(union sigval value) {
  given = value.sival_int;
  sem_post(&called);
}

static void* produce(void* unused) {
  const mqd_t queue = mq_open(name, O_WRONLY);
  assert(queue >= 0);
  for (int i = 0; i < kMessages; i++) assert(mq_send(queue, (const char*)&i, sizeof i, 1) == 0);
  assert(mq_close(queue) == 0);
  return unused;
}

static struct timespec in_milliseconds(long length) {
  struct timespec moment;
  clock_gettime(CLOCK_REALTIME, &moment);
  moment.tv_nsec += length * 1000000;
  moment.tv_sec += moment.tv_nsec / 1000000000;
  moment.tv_nsec %= 1000000000;
  return moment;
}

int main(void) {
  pthread_t thread;
  struct mq_attr attributes = {.mq_maxmsg = 3, .mq_msgsize = sizeof(int)};
  mq_unlink(name);
  const mqd_t queue = mq_open(name, O_RDWR | O_CREAT | O_EXCL, 0600, &attributes);
  assert(queue >= 0);
  assert(pthread_create(&thread, NULL, produce, NULL) == 0);
  int got = -1;
  for (int i = 0; i < kMessages; i++) {
    assert(mq_receive(queue, (char*)&got, sizeof got, NULL) == sizeof got && got == i);
  }
  assert(pthread_join(thread, NULL) == 0);

  struct timespec soon = in_milliseconds(20);
  assert(mq_timedreceive(queue, (char*)&got, sizeof got, NULL, &soon) == -1 && errno == ETIMEDOUT);
  for (int i = 0; i < 3; i++) assert(mq_send(queue, (const char*)&i, sizeof i, (unsigned)i) == 0);
  soon = in_milliseconds(20);
  assert(mq_timedsend(queue, (const char*)&got, sizeof got, 0, &soon) == -1 && errno == ETIMEDOUT);
  unsigned priority = 0;
  assert(mq_receive(queue, (char*)&got, sizeof got, &priority) == sizeof got);
  assert(got == 2 && priority == 2);
  const struct timespec bad = {0, -1};
  assert(mq_timedreceive(queue, (char*)&got, sizeof got, NULL, &bad) == -1 && errno == EINVAL);
  assert(mq_receive(queue, (char*)&got, 1, NULL) == -1 && errno == EMSGSIZE);
  assert(mq_send(queue, "too long", 8, 0) == -1 && errno == EMSGSIZE);
  attributes.mq_flags = O_NONBLOCK;
  assert(mq_setattr(queue, &attributes, NULL) == 0);
  while (mq_receive(queue, (char*)&got, sizeof got, NULL) == sizeof got) continue;
  assert(errno == EAGAIN);

  signal(SIGUSR1, tell);
  const struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
  assert(mq_notify(queue, &event) == 0);
  assert(mq_send(queue, (const char*)&got, sizeof got, 0) == 0 && told == SIGUSR1);
  assert(mq_receive(queue, (char*)&got, sizeof got, NULL) == sizeof got);

  sem_init(&called, 0, 0);
  struct sigevent call = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = be_called};
  call.sigev_value.sival_int = 7;
  assert(mq_notify(queue, &call) == 0);
  assert(mq_notify(queue, &call) == -1 && errno == EBUSY);
  assert(mq_send(queue, (const char*)&got, sizeof got, 0) == 0);
  assert(sem_wait(&called) == 0 && given == 7);
  assert(mq_close(queue) == 0 && mq_unlink(name) == 0);
  return 0;
}
