// A server accepts two clients on the loopback address, one after the other, and echoes.
//
// expect: passed
// within: random, 30 runs
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <assert.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

static struct sockaddr_in address;

static void* serve(void* argument) {
  int listener = *(int*)argument;
  for (int i = 0; i < 2; i++) {
    int client = accept(listener, NULL, NULL);
    assert(client >= 0);
    char c;
    while (recv(client, &c, 1, 0) == 1) assert(send(client, &c, 1, 0) == 1);
    close(client);
  }
  return NULL;
}

static void* ask(void* argument) {
  char c = *(char*)argument, answer = 0;
  int server = socket(AF_INET, SOCK_STREAM, 0);
  assert(connect(server, (struct sockaddr*)&address, sizeof(address)) == 0);
  assert(send(server, &c, 1, 0) == 1);
  assert(recv(server, &answer, 1, 0) == 1);
  assert(answer == c);
  close(server);
  return NULL;
}

int main(void) {
  int listener = socket(AF_INET, SOCK_STREAM, 0);
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  assert(bind(listener, (struct sockaddr*)&address, sizeof(address)) == 0);
  socklen_t length = sizeof(address);
  assert(getsockname(listener, (struct sockaddr*)&address, &length) == 0);
  assert(listen(listener, 4) == 0);
  pthread_t server, clients[2];
  pthread_create(&server, NULL, serve, &listener);
  pthread_create(&clients[0], NULL, ask, "a");
  pthread_create(&clients[1], NULL, ask, "b");
  for (int i = 0; i < 2; i++) pthread_join(clients[i], NULL);
  pthread_join(server, NULL);
  puts("ok");
}
