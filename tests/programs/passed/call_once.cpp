// std::call_once from three threads: one call, and all see its result.
//
// expect: passed
// within: random, 50 runs
#include <cassert>
#include <cstdio>
#include <mutex>
#include <thread>
#include <vector>

int main() {
  std::once_flag once;
  int calls = 0;
  int value = 0;
  const auto use = [&] {
    std::call_once(once, [&] {
      ++calls;
      std::this_thread::yield();
      value = 42;
    });
    assert(value == 42);
  };

  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) threads.emplace_back(use);
  for (std::thread& thread : threads) thread.join();
  assert(calls == 1);
  std::puts("ok");
}
