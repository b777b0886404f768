// A ticket lock: whoever comes takes a number and spins until it is called.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> next_ticket = 0;
static std::atomic<int> called = 0;
static int counter;

static void increment() {
  for (int i = 0; i < 2; ++i) {
    const int ticket = next_ticket.fetch_add(1);
    while (called.load() != ticket) {
    }
    ++counter;
    called.store(ticket + 1);
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
