// Shape: the slow path after a failed compare-and-swap. A counter has a second part for the amounts
// that met with another thread, as the striped counters of Java's library do.
//
// Bug: the second part is no atomic. The collector may overwrite an amount that it has not seen.
//
// Needs: two levels. An addition comes between the load and the compare-and-swap of another one:
// only then is the second part used. The collector is preempted between its read and its write of
// the second part, until the amount is there.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> base;
static int contended;
static int collected;

static void add(int amount) {
  int seen = base.load();
  if (base.compare_exchange_strong(seen, seen + amount)) return;
  contended = contended + amount;
}

static void collect() {
  const int rest = contended;
  contended = 0;
  collected += rest + base.exchange(0);
}

int main() {
  std::thread one(add, 1);
  std::thread two(add, 2);
  std::thread collector(collect);
  one.join();
  two.join();
  collector.join();
  collect();
  assert(collected == 3);
}
