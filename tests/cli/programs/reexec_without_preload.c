// Starts itself anew without what was preloaded, and only then creates a thread. With the
// argument "overwrite" it sets LD_PRELOAD to something else instead.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void* work(void* unused) { return unused; }

int main(int argc, char** argv) {
  if (!getenv("AGAIN")) {
    setenv("AGAIN", "1", 1);
    if (argc > 1 && strcmp(argv[1], "overwrite") == 0) {
      setenv("LD_PRELOAD", "libm.so.6", 1);
    } else {
      unsetenv("LD_PRELOAD");
    }
    execv("/proc/self/exe", argv);
    return 9;
  }
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  pthread_join(thread, NULL);
  puts("again");
  return 0;
}
