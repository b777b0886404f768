// Taking from an empty stack throws, and on this thread nobody catches it.
//
// expect: terminate
// within: random, 100 runs
// bug: put, take, main
#include <cstdio>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

namespace {

std::mutex lock;
std::vector<int> stack;

void put(int value) {
  const std::lock_guard guard(lock);
  stack.push_back(value);
}

void take() {
  const std::lock_guard guard(lock);
  if (stack.empty()) throw std::runtime_error("the stack is empty");
  stack.pop_back();
}

}  // namespace

int main() {
  std::thread taker(take);
  put(42);
  taker.join();
  std::puts("ok");
}
