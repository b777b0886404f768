// A spin lock by atomic exchange that spins without giving way, around a plain counter.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<bool> locked = false;
static int counter;

static void increment() {
  for (int i = 0; i < 2; ++i) {
    while (locked.exchange(true, std::memory_order_acquire)) {
    }
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
