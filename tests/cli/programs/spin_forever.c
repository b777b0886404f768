// Loops without a point: in a second thread, or with the argument "main" before any thread.
#include <pthread.h>
#include <string.h>

static volatile int never;

static void* spin(void* unused) {
  while (!never) {
  }
  return unused;
}

int main(int argc, char** argv) {
  if (argc > 1 && strcmp(argv[1], "main") == 0) spin(NULL);
  pthread_t thread;
  pthread_create(&thread, NULL, spin, NULL);
  pthread_join(thread, NULL);
  return 0;
}
