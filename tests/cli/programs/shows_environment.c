// Writes what it finds around it when it starts. With BUG set it fails under some schedules; with
// NO_THREADS set, or beside a file called "stop", it ends before its first thread.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

extern char** environ;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int ready;

static void* set_ready(void* unused) {
  pthread_mutex_lock(&lock);
  ready = 1;
  pthread_mutex_unlock(&lock);
  return unused;
}

static void show(void) {
  int on_stack = 0;
  printf("stack %p\n", (void*)&on_stack);
  for (char** variable = environ; *variable; variable++) printf("%s\n", *variable);
  printf("umask %03o\n", (unsigned)umask(022));
  for (int resource = 0; resource < RLIM_NLIMITS; resource++) {
    struct rlimit limit;
    getrlimit(resource, &limit);
    printf("limit %d %lu %lu\n", resource, (unsigned long)limit.rlim_cur,
           (unsigned long)limit.rlim_max);
  }
}

int main(void) {
  show();
  if (getenv("NO_THREADS") || access("stop", F_OK) == 0) return 0;
  pthread_t thread;
  pthread_create(&thread, 0, set_ready, 0);
  pthread_mutex_lock(&lock);
  const int seen = ready;
  pthread_mutex_unlock(&lock);
  if (getenv("BUG")) assert(seen);
  pthread_join(thread, 0);
  return 0;
}
