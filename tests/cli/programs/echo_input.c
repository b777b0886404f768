// A thread copies standard input to standard output; ends with 5 if there was none.
#include <pthread.h>
#include <stdio.h>

static long copied;

static void* copy(void* unused) {
  for (int byte; (byte = getchar()) != EOF; copied++) putchar(byte);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, copy, NULL);
  pthread_join(thread, NULL);
  return copied == 0 ? 5 : 0;
}
