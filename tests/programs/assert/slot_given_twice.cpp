// Two threads fill a table from one plain index: both write to the same slot.
//
// expect: assert
// within: random, 200 runs
// bug: insert, main
// flags: -fsanitize=thread
#include <array>
#include <cassert>
#include <cstdio>
#include <thread>

static std::array<int, 4> table;
static std::size_t used;

static void insert(int value) { table.at(used++) = value; }

int main() {
  std::thread other(insert, 1);
  insert(2);
  other.join();
  assert(table[0] + table[1] == 3);
  puts("ok");
}
