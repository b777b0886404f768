// Two threads wait for one shared future; a timed wait on it may or may not see the value.
//
// expect: passed
// within: random, 50 runs
#include <cassert>
#include <chrono>
#include <cstdio>
#include <future>
#include <thread>

int main() {
  std::promise<int> promise;
  const std::shared_future<int> value = promise.get_future().share();
  std::thread first([value] { assert(value.get() == 42); });
  std::thread second([value] {
    const std::future_status status = value.wait_for(std::chrono::milliseconds(1));
    assert(status != std::future_status::deferred);
    assert(value.get() == 42);
  });
  promise.set_value(42);
  first.join();
  second.join();
  std::puts("ok");
}
