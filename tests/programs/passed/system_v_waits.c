// System V semaphores and message queues: threads wait for each other, time out, are interrupted,
// and are told when what they wait for is removed.
//
// expect: passed
// within: random, 30 runs
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <time.h>

struct message {
  long type;
  char text[64];
};

static int set, queue, counter;

static void operate(int number, int by) {
  struct sembuf one = {(unsigned short)number, (short)by, 0};
  assert(semop(set, &one, 1) == 0);
}

static void* count(void* unused) {
  for (int i = 0; i < 3; i++) {
    operate(0, -1);
    counter++;
    operate(0, 1);
  }
  operate(1, 1);
  return unused;
}

static void* produce(void* unused) {
  struct message one = {.type = 1};
  for (int i = 0; i < 6; i++) {
    snprintf(one.text, sizeof(one.text), "%d", i);
    assert(msgsnd(queue, &one, sizeof(one.text), 0) == 0);
  }
  return unused;
}

static void* consume(void* unused) {
  struct message one;
  for (int i = 0; i < 6; i++) {
    assert(msgrcv(queue, &one, sizeof(one.text), 1, 0) == sizeof(one.text));
    char expected[16];
    snprintf(expected, sizeof(expected), "%d", i);
    assert(strcmp(one.text, expected) == 0);
  }
  return unused;
}

static void* wait_in_vain(void* on_queue) {
  if (on_queue) {
    struct message one;
    assert(msgrcv(queue, &one, sizeof(one.text), 7, 0) == -1);
  } else {
    struct sembuf never = {1, -1, 0};
    assert(semop(set, &never, 1) == -1);
  }
  assert(errno == EIDRM || errno == EINVAL);  // waited, or came too late
  return NULL;
}

static void on_signal(int number) { (void)number; }

int main(void) {
  set = semget(IPC_PRIVATE, 2, IPC_CREAT | 0600);
  queue = msgget(IPC_PRIVATE, IPC_CREAT | 0600);
  assert(set >= 0 && queue >= 0);
  assert(semctl(set, 0, SETVAL, 1) == 0 && semctl(set, 1, SETVAL, 0) == 0);
  struct msqid_ds limits;
  assert(msgctl(queue, IPC_STAT, &limits) == 0);
  limits.msg_qbytes = 2 * sizeof(((struct message*)0)->text);
  assert(msgctl(queue, IPC_SET, &limits) == 0);

  pthread_t threads[4];
  void* (*const roles[])(void*) = {count, count, produce, consume};
  for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, roles[i], NULL);
  struct sembuf both = {1, -2, 0};
  assert(semop(set, &both, 1) == 0);
  assert(counter == 6);
  for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);

  // Not at once, not in time, not at all.
  struct sembuf never = {1, -1, IPC_NOWAIT};
  assert(semop(set, &never, 1) == -1 && errno == EAGAIN);
  never.sem_flg = 0;
  const struct timespec length = {.tv_nsec = 10000000};
  assert(semtimedop(set, &never, 1, &length) == -1 && errno == EAGAIN);
  const struct timespec wrong = {.tv_nsec = -1};
  assert(semtimedop(set, &never, 1, &wrong) == -1 && errno == EINVAL);
  struct sembuf zero_then_take[] = {{0, -1, 0}, {1, -1, IPC_NOWAIT}};
  assert(semop(set, zero_then_take, 2) == -1 && errno == EAGAIN);
  assert(semctl(set, 0, GETVAL) == 1);
  assert(semop(set, &never, 0) == -1 && errno == EINVAL);
  assert(semop(set, (struct sembuf*)1, 1) == -1 && errno == EFAULT);
  struct message one;
  assert(msgrcv(queue, &one, sizeof(one.text), 0, IPC_NOWAIT) == -1 && errno == ENOMSG);
  assert(msgsnd(queue, &(struct message){.type = 0}, 1, 0) == -1 && errno == EINVAL);

  struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
  sigaction(SIGALRM, &action, NULL);
  timer_t timer;
  assert(timer_create(CLOCK_MONOTONIC, NULL, &timer) == 0);
  const struct itimerspec soon = {.it_value = {.tv_nsec = 10000000}};
  assert(timer_settime(timer, 0, &soon, NULL) == 0);
  assert(semop(set, &never, 1) == -1 && errno == EINTR);

  pthread_create(&threads[0], NULL, wait_in_vain, NULL);
  pthread_create(&threads[1], NULL, wait_in_vain, &queue);
  assert(semctl(set, 0, IPC_RMID) == 0);
  assert(msgctl(queue, IPC_RMID, NULL) == 0);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  puts("ok");
}
