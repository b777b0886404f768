// The highest bid is compared first and stored then: a lower bid overwrites a higher one.
//
// expect: assert
// within: random, 200 runs
// bug: bid, raise, main
// flags: -fsanitize=thread -O1
#include <atomic>
#include <cassert>
#include <cstdio>
#include <thread>

static std::atomic<int> highest;

static void bid(int amount) {
  if (amount > highest.load()) highest.store(amount);
}

static void raise(int amount) {
  for (int end = amount + 10; amount < end; amount += 2) {
    bid(amount);
    assert(highest.load() >= amount);
  }
}

int main() {
  std::thread other(raise, 1);
  raise(2);
  other.join();
  puts("ok");
}
