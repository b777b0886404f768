// Two threads fill a table, each slot of which is given away in one step.
//
// expect: passed
// within: random, 50 runs
// flags: -fsanitize=thread
#include <array>
#include <atomic>
#include <cassert>
#include <cstdio>
#include <thread>

static std::array<int, 4> table;
static std::atomic<std::size_t> used;

static void insert(int value) { table.at(used++) = value; }

int main() {
  std::thread first(insert, 1), second(insert, 2);
  first.join();
  second.join();
  assert(table[0] + table[1] == 3);
  puts("ok");
}
