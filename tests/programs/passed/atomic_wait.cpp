// std::atomic wait and notify: a baton goes round three threads in order.
//
// expect: passed
// within: random, 50 runs
#include <atomic>
#include <cassert>
#include <cstdio>
#include <thread>
#include <vector>

int main() {
  std::atomic<int> baton = 0;
  std::vector<std::thread> threads;
  for (int me = 0; me < 3; ++me) {
    threads.emplace_back([&baton, me] {
      for (int seen = baton; seen != me; seen = baton) baton.wait(seen);
      baton = me + 1;
      baton.notify_all();
    });
  }
  for (std::thread& thread : threads) thread.join();
  assert(baton == 3);
  std::puts("ok");
}
