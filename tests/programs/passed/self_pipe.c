// A handler writes a byte into a pipe that a poll loop watches, while other threads read and wait.
//
// expect: passed
// within: random, 40 runs
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static int wake[2], data[2];

static void tell(int signal) {
  (void)signal;
  int kept = errno;
  assert(write(wake[1], "!", 1) == 1);
  errno = kept;
}

static void* read_data(void* unused) {
  (void)unused;
  char c;
  assert(read(data[0], &c, 1) == 1);  // the handler writes elsewhere in the middle of this
  return NULL;
}

static void* send_signals(void* argument) {
  assert(pthread_kill(*(pthread_t*)argument, SIGUSR1) == 0);
  assert(kill(getpid(), SIGUSR2) == 0);
  return NULL;
}

int main(void) {
  struct sigaction action = {.sa_handler = tell, .sa_flags = SA_RESTART};
  assert(sigaction(SIGUSR1, &action, NULL) == 0);
  assert(sigaction(SIGUSR2, &action, NULL) == 0);
  assert(pipe(wake) == 0 && pipe(data) == 0);
  pthread_t reader, sender;
  pthread_create(&reader, NULL, read_data, NULL);
  pthread_create(&sender, NULL, send_signals, &reader);
  for (int told = 0; told < 2;) {
    struct pollfd wish = {.fd = wake[0], .events = POLLIN};
    int ready = poll(&wish, 1, -1);
    char bytes[2];
    if (ready == 1) {
      told += (int)read(wake[0], bytes, sizeof(bytes));
    } else {
      assert(errno == EINTR);
    }
  }
  assert(write(data[1], "x", 1) == 1);
  pthread_join(sender, NULL);
  pthread_join(reader, NULL);
  puts("ok");
}
