// A name is looked up by a thread that the C library makes.
#define _GNU_SOURCE
#include <netdb.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static void* look_up(void* unused) {
  struct gaicb request, *requests[] = {&request};
  memset(&request, 0, sizeof request);
  request.ar_name = "127.0.0.1";
  getaddrinfo_a(GAI_WAIT, requests, 1, NULL);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, look_up, NULL);
  pthread_join(thread, NULL);
  puts("looked up");
}
