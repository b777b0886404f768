// A spin lock that tests before it exchanges, and gives way while it is taken.
#include <sched.h>

#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<bool> locked = false;
static int counter;

static void lock() {
  for (;;) {
    if (!locked.load(std::memory_order_relaxed) &&
        !locked.exchange(true, std::memory_order_acquire))
      return;
    sched_yield();
  }
}

static void increment() {
  for (int i = 0; i < 2; ++i) {
    lock();
    ++counter;
    locked.store(false, std::memory_order_release);
  }
}

int main() {
  std::thread first(increment);
  std::thread second(increment);
  std::thread third(increment);
  first.join();
  second.join();
  third.join();
  assert(counter == 6);
}
