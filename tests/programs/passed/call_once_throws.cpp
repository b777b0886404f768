// The first call under std::call_once throws; the next caller gets its turn.
//
// expect: passed
// within: random, 50 runs
#include <atomic>
#include <cassert>
#include <cstdio>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

int main() {
  std::once_flag once;
  std::atomic<int> calls = 0;
  std::atomic<int> caught = 0;
  const auto use = [&] {
    try {
      std::call_once(once, [&] {
        const bool first = ++calls == 1;
        std::this_thread::yield();
        if (first) throw std::runtime_error("not yet");
      });
    } catch (const std::runtime_error&) {
      ++caught;
    }
  };

  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) threads.emplace_back(use);
  for (std::thread& thread : threads) thread.join();
  assert(caught == 1);
  assert(calls == 2);
  std::puts("ok");
}
