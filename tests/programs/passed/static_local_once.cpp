// A static local is constructed once, although its constructor is interrupted half-way.
//
// expect: passed
// within: random, 50 runs
#include <cassert>
#include <cstdio>
#include <mutex>
#include <thread>
#include <vector>

namespace {

std::mutex lock;
int constructed = 0;

struct Settings {
  Settings() {
    const std::lock_guard guard(lock);
    ++constructed;
    std::this_thread::yield();
    value = 42;
  }
  int value = 0;
};

const Settings& settings() {
  static const Settings only;
  return only;
}

}  // namespace

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) threads.emplace_back([] { assert(settings().value == 42); });
  for (std::thread& thread : threads) thread.join();
  assert(constructed == 1);
  std::puts("ok");
}
