// std::shared_timed_mutex: beside a reader another one gets in, a writer times out.
//
// expect: passed
// within: random, 50 runs
#include <cassert>
#include <chrono>
#include <cstdio>
#include <shared_mutex>
#include <thread>

using namespace std::chrono_literals;

int main() {
  std::shared_timed_mutex lock;
  lock.lock_shared();
  std::thread writer([&] { assert(!lock.try_lock_for(5ms)); });
  writer.join();
  std::thread reader([&] {
    assert(lock.try_lock_shared_for(60s));
    lock.unlock_shared();
  });
  reader.join();
  lock.unlock_shared();

  std::thread next([&] {
    assert(lock.try_lock_until(std::chrono::steady_clock::now() + 60s));
    lock.unlock();
  });
  next.join();
  std::puts("ok");
}
