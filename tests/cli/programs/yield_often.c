// Two threads yield to each other, as often as the argument says: a switch each time. A lock now
// and then is progress, without which it would be a livelock.
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

static long times;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* yield(void* unused) {
  for (long i = 0; i < times; i++) {
    sched_yield();
    if (i % 1000 == 0) {
      pthread_mutex_lock(&mutex);
      pthread_mutex_unlock(&mutex);
    }
  }
  return unused;
}

int main(int count, char** arguments) {
  times = count > 1 ? atol(arguments[1]) : 10;
  pthread_t thread;
  pthread_create(&thread, NULL, yield, NULL);
  yield(NULL);
  pthread_join(thread, NULL);
  return 0;
}
