// A thread reads from a pipe that nobody writes to.
#include <pthread.h>
#include <unistd.h>

static void* wait_for_byte(void* unused) {
  int ends[2];
  char byte;
  if (pipe(ends) != 0) return NULL;
  while (read(ends[0], &byte, 1) > 0) {
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, wait_for_byte, NULL);
  pthread_join(thread, NULL);
  return 0;
}
