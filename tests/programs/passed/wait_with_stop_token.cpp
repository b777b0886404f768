// A wait that a stop request ends although its predicate never becomes true.
//
// expect: passed
// within: random, 50 runs
#include <cassert>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <stop_token>
#include <thread>

int main() {
  std::mutex lock;
  std::condition_variable_any changed;
  int items = 1;
  int taken = 0;

  std::jthread worker([&](const std::stop_token& stop) {
    std::unique_lock guard(lock);
    while (changed.wait(guard, stop, [&] { return items > 0; })) {
      --items;
      ++taken;
    }
    assert(stop.stop_requested());
  });
  {
    const std::lock_guard guard(lock);
    ++items;
  }
  changed.notify_one();
  worker.request_stop();
  worker.join();
  assert(taken + items == 2);
  std::puts("ok");
}
