// Recurses until the stack is used up: in a thread, or with the argument "main" in main.
#include <pthread.h>
#include <string.h>

static int descend(volatile int* above) {
  volatile int here[64];
  here[0] = *above + 1;
  return descend(here) + here[0];
}

static void* dive(void* unused) {
  volatile int zero = 0;
  descend(&zero);
  return unused;
}

int main(int argc, char** argv) {
  pthread_t thread;
  if (argc > 1 && strcmp(argv[1], "main") == 0) dive(NULL);
  pthread_create(&thread, NULL, dive, NULL);
  pthread_join(thread, NULL);
  return 0;
}
