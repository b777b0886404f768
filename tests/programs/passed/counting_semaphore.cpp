// std::counting_semaphore: at most two threads are inside at once.
//
// expect: passed
// within: random, 50 runs
#include <atomic>
#include <cassert>
#include <cstdio>
#include <semaphore>
#include <thread>
#include <vector>

int main() {
  std::counting_semaphore<2> permits(2);
  std::atomic<int> inside = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      permits.acquire();
      ++inside;
      std::this_thread::yield();
      assert(inside <= 2);
      --inside;
      permits.release();
    });
  }
  for (std::thread& thread : threads) thread.join();
  assert(permits.try_acquire() && permits.try_acquire() && !permits.try_acquire());
  std::puts("ok");
}
