// std::barrier: its completion step runs once per phase, while everybody waits.
//
// expect: passed
// within: random, 50 runs
#include <atomic>
#include <barrier>
#include <cassert>
#include <cstdio>
#include <thread>

int main() {
  std::atomic<int> arrived = 0;
  int phases = 0;
  std::barrier barrier(2, [&]() noexcept {
    ++phases;
    assert(arrived == 2 * phases);
  });
  const auto work = [&] {
    for (int phase = 1; phase <= 3; ++phase) {
      ++arrived;
      barrier.arrive_and_wait();
      assert(phases >= phase);
    }
  };
  std::thread first(work);
  std::thread second(work);
  first.join();
  second.join();
  assert(phases == 3);
  std::puts("ok");
}
