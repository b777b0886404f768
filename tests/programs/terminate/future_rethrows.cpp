// The task throws if it came too early, and get() rethrows that on main, which does not catch.
//
// expect: terminate
// within: random, 100 runs
// bug: compute, main
#include <cstdio>
#include <future>
#include <mutex>
#include <stdexcept>

namespace {

std::mutex lock;
int input = 0;

int compute() {
  const std::lock_guard guard(lock);
  if (input == 0) throw std::runtime_error("no input yet");
  return 100 / input;
}

}  // namespace

int main() {
  std::future<int> result = std::async(std::launch::async, compute);
  {
    const std::lock_guard guard(lock);
    input = 5;
  }
  std::printf("%d\n", result.get());
}
