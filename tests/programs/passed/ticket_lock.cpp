// A ticket lock guards a plain counter.
//
// expect: passed
// within: random, 50 runs
// flags: -fsanitize=thread -O1
#include <atomic>
#include <cassert>
#include <cstdio>
#include <thread>

static std::atomic<unsigned> next_ticket, serving;
static int counter;

static void work() {
  for (int i = 0; i < 2; i++) {
    const unsigned mine = next_ticket.fetch_add(1, std::memory_order_relaxed);
    while (serving.load(std::memory_order_acquire) != mine) continue;
    counter++;
    serving.store(mine + 1, std::memory_order_release);
  }
}

int main() {
  std::thread first(work), second(work), third(work);
  first.join();
  second.join();
  third.join();
  assert(counter == 6);
  puts("ok");
}
