// std::async: tasks on their own threads, and a deferred one on the thread that asks.
//
// expect: passed
// within: random, 50 runs
#include <cassert>
#include <cstdio>
#include <future>
#include <thread>

namespace {

int square(int n) {
  std::this_thread::yield();
  return n * n;
}

}  // namespace

int main() {
  std::future<int> first = std::async(std::launch::async, square, 3);
  std::future<int> second = std::async(std::launch::async, square, 4);
  std::future<int> deferred = std::async(std::launch::deferred, square, 5);
  assert(first.get() + second.get() == deferred.get());
  std::puts("ok");
}
