// Dekker's mutual exclusion of two threads.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<bool> interested[2];
static std::atomic<int> turn;
static int counter;

static void enter(int self) {
  const int other = 1 - self;
  interested[self].store(true);
  while (interested[other].load()) {
    if (turn.load() == self) continue;
    interested[self].store(false);
    while (turn.load() != self) {
    }
    interested[self].store(true);
  }
}

static void leave(int self) {
  turn.store(1 - self);
  interested[self].store(false);
}

static void increment(int self) {
  for (int i = 0; i < 2; ++i) {
    enter(self);
    ++counter;
    leave(self);
  }
}

int main() {
  std::thread first(increment, 0);
  std::thread second(increment, 1);
  first.join();
  second.join();
  assert(counter == 4);
}
