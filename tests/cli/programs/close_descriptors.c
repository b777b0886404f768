// Closes every file descriptor it did not open, as daemons do, and then starts a thread.
#define _GNU_SOURCE
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void* work(void* unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  for (int descriptor = 3; descriptor < 4096; descriptor++) close(descriptor);
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  pthread_join(thread, NULL);
  return 0;
}
