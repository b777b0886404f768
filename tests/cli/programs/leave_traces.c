// Makes files with fixed names, listens on a fixed port and leaves a process behind that has left
// its group. Fails where one of them is taken, and loses an update under some schedules.
#include <arpa/inet.h>
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void* add_one(void* unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  const int seen = count;
  pthread_mutex_unlock(&lock);
  pthread_mutex_lock(&lock);
  count = seen + 1;
  pthread_mutex_unlock(&lock);
  return NULL;
}

static void take_name(const char* name) {
  const int file = open(name, O_CREAT | O_EXCL | O_WRONLY, 0600);
  if (file < 0) perror(name);
  assert(file >= 0);
  assert(write(file, "taken\n", 6) == 6);
  close(file);
}

static void take_port(void) {
  const struct sockaddr_in place = {
      .sin_family = AF_INET, .sin_port = htons(38476), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  const int listening = socket(AF_INET, SOCK_STREAM, 0);
  assert(bind(listening, (const struct sockaddr*)&place, sizeof place) == 0);
  assert(listen(listening, 1) == 0);
}

static void leave_process(void) {
  if (fork() != 0) return;
  setsid();
  if (fork() != 0) _exit(0);
  for (;;) pause();
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, add_one, NULL);
  take_name("leave_traces.lock");
  take_name("/tmp/leave_traces.tmp");
  take_port();
  leave_process();
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  assert(count == 2);
}
