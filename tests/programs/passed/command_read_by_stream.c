// popen and pclose beside a running thread; the child does not see the runtime.
//
// expect: passed
// within: random, 10 runs
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void* beside(void* unused) {
  for (int i = 0; i < 5; i++) usleep(100);
  return unused;
}

int main(void) {
  pthread_t thread;
  assert(pthread_create(&thread, NULL, beside, NULL) == 0);
  FILE* answer = popen("echo answer; exit 7", "r");
  FILE* sink = popen("cat > /dev/null", "we");
  assert(answer && sink);
  char line[32] = "";
  assert(fgets(line, sizeof line, answer) && strcmp(line, "answer\n") == 0);
  assert(fputs("something\n", sink) >= 0);
  const int status = pclose(answer);
  assert(WIFEXITED(status) && WEXITSTATUS(status) == 7);
  assert(pclose(sink) == 0);
  assert(!popen("true", "x"));
  assert(system("test -z \"$UNRAVEL_CHANNEL$LD_PRELOAD\"") == 0);
  assert(WEXITSTATUS(system("exit 5")) == 5);
  pthread_join(thread, NULL);
}
