// A fixed port is bound without SO_REUSEADDR and called.
//
// expect: passed
// within: random, 50 runs
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <assert.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

static struct sockaddr_in place;
static int listening;

static void* call(void* unused) {
  (void)unused;
  const int caller = socket(AF_INET, SOCK_STREAM, 0);
  assert(connect(caller, (struct sockaddr*)&place, sizeof place) == 0);
  return (void*)(long)caller;
}

static void* listen_there(void* unused) {
  (void)unused;
  place.sin_family = AF_INET;
  place.sin_port = htons(38473);
  place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  listening = socket(AF_INET, SOCK_STREAM, 0);
  assert(bind(listening, (struct sockaddr*)&place, sizeof place) == 0);
  assert(listen(listening, 5) == 0);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  void* caller = NULL;
  pthread_create(&threads[0], NULL, listen_there, NULL);
  pthread_join(threads[0], NULL);
  pthread_create(&threads[1], NULL, call, NULL);
  pthread_join(threads[1], &caller);
  const int accepted = accept(listening, NULL, NULL);
  assert(accepted >= 0);
  close((int)(long)caller);
  char byte;
  assert(read(accepted, &byte, 1) == 0);
  close(accepted);
  puts("ok");
}
