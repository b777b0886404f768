// Exceptions are thrown, caught and rethrown on several threads with switches in between.
//
// expect: passed
// within: random, 50 runs
#include <cassert>
#include <cstdio>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

std::mutex lock;
int caught = 0;

struct Switch {
  ~Switch() { std::this_thread::yield(); }
};

void fail(int who) {
  const Switch on_the_way_out;
  const std::lock_guard guard(lock);
  throw std::runtime_error(std::to_string(who));
}

void work(int who) {
  try {
    try {
      fail(who);
    } catch (const std::runtime_error&) {
      std::this_thread::yield();
      throw;
    }
  } catch (const std::runtime_error& error) {
    const std::lock_guard guard(lock);
    assert(error.what() == std::to_string(who));
    ++caught;
  }
}

}  // namespace

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) threads.emplace_back(work, i);
  for (std::thread& thread : threads) thread.join();
  assert(caught == 3);
  std::puts("ok");
}
