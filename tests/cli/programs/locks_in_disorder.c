// Two threads take two locks in opposite order: deadlocks under some schedules.
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;

static void take(pthread_mutex_t* first, pthread_mutex_t* second) {
  pthread_mutex_lock(first);
  pthread_mutex_lock(second);
  pthread_mutex_unlock(second);
  pthread_mutex_unlock(first);
}

static void* other_way(void* unused) {
  (void)unused;
  take(&b, &a);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, other_way, NULL);
  take(&a, &b);
  pthread_join(thread, NULL);
  puts("no deadlock");
  return 0;
}
