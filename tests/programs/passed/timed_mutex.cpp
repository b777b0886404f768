// std::timed_mutex: giving up after a while, and getting it within a longer one.
//
// expect: passed
// within: random, 50 runs
#include <cassert>
#include <chrono>
#include <cstdio>
#include <mutex>
#include <thread>

using namespace std::chrono_literals;

int main() {
  std::timed_mutex lock;
  lock.lock();
  std::thread late([&] {
    assert(!lock.try_lock_for(5ms));
    assert(!lock.try_lock_until(std::chrono::system_clock::now() + 5ms));
  });
  std::thread lucky([&] {
    assert(lock.try_lock_for(60s));
    lock.unlock();
  });
  late.join();
  lock.unlock();
  lucky.join();
  std::puts("ok");
}
