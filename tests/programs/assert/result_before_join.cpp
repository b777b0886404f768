// Main reads the result under the lock, but before it has joined the thread that computes it.
//
// expect: assert
// within: random, 100 runs
// bug: main
#include <cassert>
#include <cstdio>
#include <mutex>
#include <thread>

int main() {
  std::mutex lock;
  int result = 0;
  std::thread worker([&] {
    const std::lock_guard guard(lock);
    result = 42;
  });
  int seen = 0;
  {
    const std::lock_guard guard(lock);
    seen = result;
  }
  worker.join();
  assert(seen == 42);
  std::puts("ok");
}
