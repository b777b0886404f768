// Writes as many mebibytes as the arguments say to standard output and error, each between a first
// and a last line. With a third argument it aborts at its end.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char chunk[1 << 20];

static void print(int descriptor, const char* text) {
  if (write(descriptor, text, strlen(text)) < 0) _exit(3);
}

static void print_much(int descriptor, long mebibytes) {
  print(descriptor, "first line\n");
  for (; mebibytes > 0; mebibytes--) {
    if (write(descriptor, chunk, sizeof chunk) != sizeof chunk) _exit(3);
  }
  print(descriptor, "last line\n");
}

static void* work(void* arguments) {
  char** argv = arguments;
  print_much(1, atol(argv[1]));
  print_much(2, atol(argv[2]));
  return NULL;
}

int main(int argc, char** argv) {
  memset(chunk, '.', sizeof chunk);
  chunk[sizeof chunk - 1] = '\n';
  pthread_t thread;
  pthread_create(&thread, NULL, work, argv);
  pthread_join(thread, NULL);
  if (argc > 3) abort();
  return 0;
}
