// Each thread's thread_local object adds its count to the total when the thread ends.
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
int total = 0;

struct LocalCount {
  ~LocalCount() {
    const std::lock_guard guard(lock);
    total += value;
  }
  int value = 0;
};

thread_local LocalCount count;

}  // namespace

int main() {
  std::vector<std::thread> threads;
  for (int i = 1; i <= 3; ++i) threads.emplace_back([i] { count.value += i; });
  for (std::thread& thread : threads) thread.join();
  const std::lock_guard guard(lock);
  assert(total == 6);
  std::puts("ok");
}
