// Family: fib_bench of the software verification competition: one thread adds j to i, another adds
// i to j, N times each.
//
// Bug: it is taken for granted that neither gets as large as it does when they strictly take
// turns.
//
// Needs: 2N-2 preemptions, behind every addition but the last one of each thread; no switch may
// come inside an addition.
#include <algorithm>
#include <cassert>
#include <cstdlib>
#include <thread>

static int i = 1;
static int j = 1;

// Functions of their own, so that no compiler makes one addition of all.
[[gnu::noinline]] static void add_j() { i += j; }
[[gnu::noinline]] static void add_i() { j += i; }

static int largest_by_turns(int times) {
  int smaller = 1, larger = 1;
  for (int turn = 0; turn < 2 * times; ++turn) {
    const int sum = smaller + larger;
    smaller = larger;
    larger = sum;
  }
  return larger;
}

int main(int argc, char** argv) {
  const int times = argc == 2 ? std::atoi(argv[1]) : 0;
  if (times < 1) return 2;
  std::thread adds_j([times] {
    for (int n = 0; n < times; ++n) add_j();
  });
  std::thread adds_i([times] {
    for (int n = 0; n < times; ++n) add_i();
  });
  adds_j.join();
  adds_i.join();
  assert(std::max(i, j) < largest_by_turns(times));
}
