// Peterson's mutual exclusion of two threads.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<bool> interested[2];
static std::atomic<int> turn;
static int counter;

static void increment(int self) {
  const int other = 1 - self;
  for (int i = 0; i < 2; ++i) {
    interested[self].store(true);
    turn.store(other);
    while (interested[other].load() && turn.load() == other) {
    }
    ++counter;
    interested[self].store(false);
  }
}

int main() {
  std::thread first(increment, 0);
  std::thread second(increment, 1);
  first.join();
  second.join();
  assert(counter == 4);
}
