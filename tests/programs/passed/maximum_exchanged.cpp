// The highest bid is replaced only if it is still the one that was compared.
//
// expect: passed
// within: random, 50 runs
// flags: -fsanitize=thread -O1
#include <atomic>
#include <cassert>
#include <cstdio>
#include <thread>

static std::atomic<int> highest;

static void bid(int amount) {
  int seen = highest.load();
  while (amount > seen && !highest.compare_exchange_weak(seen, amount)) continue;
}

int main() {
  std::thread first(bid, 10), second(bid, 20), third(bid, 15);
  first.join();
  second.join();
  third.join();
  assert(highest == 20);
  puts("ok");
}
