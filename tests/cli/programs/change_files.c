// Changes files in every way there is, while a thread runs. Passes however often it is run. With an
// argument it makes many of them.
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static void* work(void* unused) {
  FILE* file = fopen("b", "w");
  assert(file);
  fputs("text\n", file);
  fclose(file);
  assert(rename("b", "c") == 0);
  assert(truncate("c", 1) == 0);
  return unused;
}

static void make_many(void) {
  for (int i = 0; i < 100; i++) {
    char name[16];
    snprintf(name, sizeof name, "file-%d", i);
    close(creat(name, 0600));
  }
}

int main(int argc, char** argv) {
  (void)argv;
  if (argc > 1) make_many();
  close(open("a", O_CREAT | O_WRONLY, 0600));
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  pthread_join(thread, NULL);
  const int here = open(".", O_RDONLY | O_DIRECTORY);
  if (faccessat(here, "d", F_OK, 0) != 0) assert(mkdirat(here, "d", 0700) == 0);
  close(open("/dev/null", O_WRONLY));
  close(open("a", O_RDONLY));
  unlink("gone");
  puts("changed");
}
