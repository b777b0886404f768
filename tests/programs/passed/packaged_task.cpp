// A std::packaged_task is made here, run on another thread, and its result awaited here.
//
// expect: passed
// within: random, 50 runs
#include <cassert>
#include <cstdio>
#include <future>
#include <thread>
#include <utility>

int main() {
  std::packaged_task<int(int, int)> add([](int a, int b) { return a + b; });
  std::future<int> sum = add.get_future();
  std::thread worker(std::move(add), 40, 2);
  assert(sum.get() == 42);
  worker.join();
  std::puts("ok");
}
