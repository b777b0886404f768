// A thread that spins until the other has begun takes that for a sign that it has finished.
//
// expect: assert at the_work_is_done
// within: random, 40 runs
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int begun;
static int done;

static void* work(void* unused) {
  atomic_store(&begun, 1);
  pthread_mutex_lock(&mutex);
  done = 1;
  pthread_mutex_unlock(&mutex);
  return unused;
}

static void the_work_is_done(void) {
  pthread_mutex_lock(&mutex);
  assert(done);
  pthread_mutex_unlock(&mutex);
}

int main(void) {
  pthread_t worker;
  pthread_create(&worker, NULL, work, NULL);
  while (!atomic_load(&begun)) {
  }
  the_work_is_done();
  pthread_join(worker, NULL);
  return 0;
}
