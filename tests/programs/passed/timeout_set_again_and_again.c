// One thread waits for a second at the most, again and again, and another always wakes it long
// before. Their timeouts must not keep a third one, which sleeps for longer, from waking up; and
// none of them may come.
//
// expect: passed
// within: random, 50 runs
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static pthread_cond_t emptied = PTHREAD_COND_INITIALIZER;
static int full;
static atomic_int stop;

static void* take(void* unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  while (!stop) {
    struct timespec end;
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec += 1;
    while (!full && !stop) {
      if (pthread_cond_timedwait(&filled, &lock, &end) == ETIMEDOUT) break;
    }
    full = 0;
    pthread_cond_signal(&emptied);
  }
  pthread_mutex_unlock(&lock);
  return NULL;
}

static void* give(void* unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  while (!stop) {
    full = 1;
    pthread_cond_signal(&filled);
    while (full && !stop) pthread_cond_wait(&emptied, &lock);
  }
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, take, NULL);
  pthread_create(&threads[1], NULL, give, NULL);
  sleep(5);
  pthread_mutex_lock(&lock);
  stop = 1;
  pthread_cond_broadcast(&filled);
  pthread_cond_broadcast(&emptied);
  pthread_mutex_unlock(&lock);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  puts("ok");
}
