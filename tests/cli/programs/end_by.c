// Ends in the way that its argument names, on a second thread.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char* how = "return";

static void* end(void* unused) {
  if (strcmp(how, "assert") == 0) assert(!"asked for");
  if (strcmp(how, "signal") == 0) raise(SIGTERM);
  if (strcmp(how, "exit") == 0) exit(7);
  if (strcmp(how, "segv") == 0) *(volatile int*)unused = 1;
  return NULL;
}

int main(int argc, char** argv) {
  if (argc > 1) how = argv[1];
  puts("before the end");
  pthread_t thread;
  pthread_create(&thread, NULL, end, NULL);
  pthread_join(thread, NULL);
  return 0;
}
