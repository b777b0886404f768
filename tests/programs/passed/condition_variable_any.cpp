// std::condition_variable_any waits with a lock of any kind, here a shared one.
//
// expect: passed
// within: random, 50 runs
#include <cassert>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <shared_mutex>
#include <thread>

int main() {
  std::shared_mutex lock;
  std::condition_variable_any changed;
  bool ready = false;
  const auto wait = [&] {
    std::shared_lock guard(lock);
    changed.wait(guard, [&] { return ready; });
    assert(ready);
  };

  std::thread first(wait);
  std::thread second(wait);
  {
    const std::lock_guard guard(lock);
    ready = true;
  }
  changed.notify_all();
  first.join();
  second.join();
  std::puts("ok");
}
