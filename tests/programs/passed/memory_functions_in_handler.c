// A thread copies text in a loop while signals arrive, whose handler copies too, between its calls
// but never inside one.
//
// expect: passed
// within: random, 50 runs
// flags: -fsanitize=thread -fno-builtin
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char noted[32];
static volatile sig_atomic_t handled;

static void note(int number) {
  char text[32];
  memset(text, 0, sizeof(text));
  strcpy(text, number == SIGUSR1 ? "user" : "other");
  memcpy(noted, text, strlen(text) + 1);
  handled++;
}

static void* work(void* unused) {
  for (int i = 0; i < 20; i++) {
    char* text = strdup("some text");
    assert(strcmp(text, "some text") == 0);
    memset(text, 'x', strlen(text));
    assert(text[0] == 'x' && strlen(text) == 9);
    free(text);
  }
  return unused;
}

int main(void) {
  struct sigaction action = {.sa_handler = note};
  sigaction(SIGUSR1, &action, NULL);
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  for (int i = 0; i < 3; i++) {
    char* text = malloc(100);
    pthread_kill(thread, SIGUSR1);
    free(text);
  }
  pthread_join(thread, NULL);
  if (handled) assert(strcmp(noted, "user") == 0);
  puts("ok");
}
