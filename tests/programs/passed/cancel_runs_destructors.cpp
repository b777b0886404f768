// A cancelled thread's locals are destroyed, its thread-specific and thread_local values too.
//
// expect: passed
// within: random, 50 runs
#include <pthread.h>
#include <unistd.h>

#include <cassert>
#include <cstdio>
#include <mutex>

namespace {

std::mutex lock;
int destroyed;
pthread_key_t key;

struct Counted {
  ~Counted() {
    const std::lock_guard guard(lock);
    ++destroyed;
  }
  int value = 0;
};

void count(void*) {
  const std::lock_guard guard(lock);
  ++destroyed;
}

void* work(void*) {
  thread_local Counted per_thread;
  per_thread.value = 1;
  pthread_setspecific(key, &per_thread);
  const Counted local;
  for (;;) sleep(100);
}

}  // namespace

int main() {
  pthread_key_create(&key, count);
  pthread_t threads[2];
  for (pthread_t& thread : threads) pthread_create(&thread, nullptr, work, nullptr);
  sleep(1);
  for (pthread_t& thread : threads) pthread_cancel(thread);
  for (pthread_t& thread : threads) {
    void* result = nullptr;
    pthread_join(thread, &result);
    assert(result == PTHREAD_CANCELED);
  }
  assert(destroyed == 6);
  std::puts("ok");
}
