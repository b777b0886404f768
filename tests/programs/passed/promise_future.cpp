// A value and an exception travel from promise to future.
//
// expect: passed
// within: random, 50 runs
#include <cassert>
#include <cstdio>
#include <exception>
#include <future>
#include <stdexcept>
#include <thread>

int main() {
  std::promise<int> value;
  std::promise<int> failure;
  std::future<int> good = value.get_future();
  std::future<int> bad = failure.get_future();

  std::thread giver([&] {
    value.set_value(42);
    failure.set_exception(std::make_exception_ptr(std::runtime_error("no value")));
  });
  bool caught = false;
  try {
    bad.get();
  } catch (const std::runtime_error&) {
    caught = true;
  }
  assert(caught);
  assert(good.get() == 42);
  giver.join();
  std::puts("ok");
}
