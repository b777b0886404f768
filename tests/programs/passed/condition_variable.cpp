// std::condition_variable: a wait with a predicate, and one that times out by it.
//
// expect: passed
// within: random, 50 runs
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>

using namespace std::chrono_literals;

int main() {
  std::mutex lock;
  std::condition_variable changed;
  int stage = 0;

  std::thread worker([&] {
    std::unique_lock guard(lock);
    changed.wait(guard, [&] { return stage == 1; });
    stage = 2;
    changed.notify_all();
  });
  {
    const std::lock_guard guard(lock);
    stage = 1;
  }
  changed.notify_one();
  {
    std::unique_lock guard(lock);
    assert(changed.wait_for(guard, 60s, [&] { return stage == 2; }));
    assert(!changed.wait_for(guard, 5ms, [&] { return stage == 3; }));
  }
  worker.join();
  std::puts("ok");
}
