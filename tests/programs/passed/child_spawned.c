// posix_spawn, system and popen in threads: children run, without us, and their answers arrive.
//
// expect: passed
// within: random, 15 runs
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

static void* spawn_true(void* unused) {
  (void)unused;
  pid_t child;
  int status = -1;
  char* arguments[] = {"true", NULL};
  assert(posix_spawn(&child, "/bin/true", NULL, NULL, arguments, environ) == 0);
  assert(waitpid(child, &status, 0) == child);
  assert(status == 0);
  return NULL;
}

static void* run_command(void* unused) {
  (void)unused;
  int status = system("exit 3");
  assert(WIFEXITED(status) && WEXITSTATUS(status) == 3);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, spawn_true, NULL);
  pthread_create(&threads[1], NULL, run_command, NULL);
  char line[16] = "";
  FILE* answer = popen("echo hi", "r");
  assert(answer && fgets(line, sizeof(line), answer));
  assert(strcmp(line, "hi\n") == 0);
  assert(pclose(answer) == 0);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  puts("ok");
}
