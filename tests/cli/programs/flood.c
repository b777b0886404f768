// Writes lines: as many as the argument says, or for ever.
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static long left = -1;

static void* flood(void* unused) {
  while (left != 0 && write(1, "yes, and yes, and yes, and yes\n", 31) > 0) left -= left > 0;
  return unused;
}

int main(int argc, char** argv) {
  if (argc > 1) left = atol(argv[1]);
  pthread_t thread;
  pthread_create(&thread, NULL, flood, NULL);
  pthread_join(thread, NULL);
  return 0;
}
