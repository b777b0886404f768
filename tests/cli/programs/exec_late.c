// Becomes a shell once it has threads, from main or with "thread" from another; the shell runs its
// second argument.
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char* command;

static void* become_shell(void* unused) {
  execl("/bin/sh", "sh", "-c", command, (char*)NULL);
  perror("/bin/sh");
  return unused;
}

static void* work(void* unused) { return unused; }

int main(int argc, char** argv) {
  if (argc < 3) return 9;
  command = argv[2];
  pthread_t thread;
  const int by_thread = strcmp(argv[1], "thread") == 0;
  pthread_create(&thread, NULL, by_thread ? become_shell : work, NULL);
  if (!by_thread) become_shell(NULL);
  pthread_join(thread, NULL);
  return 9;
}
