// std::latch: main goes on when all three threads have counted it down.
//
// expect: passed
// within: random, 50 runs
#include <atomic>
#include <cassert>
#include <cstdio>
#include <latch>
#include <thread>
#include <vector>

int main() {
  std::latch ready(3);
  std::latch go(1);
  std::atomic<int> prepared = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&] {
      ++prepared;
      ready.count_down();
      go.wait();
    });
  }
  ready.wait();
  assert(prepared == 3);
  go.count_down();
  for (std::thread& thread : threads) thread.join();
  std::puts("ok");
}
