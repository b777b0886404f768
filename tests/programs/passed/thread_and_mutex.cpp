// std::thread and std::mutex: lock_guard, unique_lock and try_lock around one counter.
//
// expect: passed
// within: random, 50 runs
#include <cassert>
#include <cstdio>
#include <mutex>
#include <thread>
#include <vector>

int main() {
  std::mutex lock;
  int counter = 0;
  const auto add = [&](int times) {
    for (int i = 0; i < times; ++i) {
      const std::lock_guard guard(lock);
      ++counter;
    }
    std::unique_lock guard(lock, std::try_to_lock);
    if (!guard) guard.lock();
    ++counter;
  };

  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) threads.emplace_back(add, i);
  for (std::thread& thread : threads) thread.join();
  assert(counter == 6);
  std::puts("ok");
}
