// A ticket lock whose tickets are read and increased in two steps: two threads draw the same one.
//
// expect: assert
// within: random, 200 runs
// bug: lock, work, main
// flags: -fsanitize=thread -O1
#include <atomic>
#include <cassert>
#include <cstdio>
#include <thread>

static std::atomic<int> next_ticket, serving, inside;

static void lock() {
  const int mine = next_ticket.load();
  next_ticket.store(mine + 1);
  while (serving.load() < mine) continue;
}

static void unlock() { serving.fetch_add(1); }

static void work() {
  for (int i = 0; i < 4; i++) {
    lock();
    assert(inside.fetch_add(1) == 0);
    inside.fetch_sub(1);
    unlock();
  }
}

int main() {
  std::thread other(work);
  work();
  other.join();
  puts("ok");
}
