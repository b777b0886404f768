// Family: reorder_N of the SCTBench collection. N threads: N-1 set two variables, one compares
// them.
//
// Bug: the setters write a and b one after the other, and the checker wants both or none.
//
// Needs: 1 preemption, from the first setter between its two writes to the checker; or from the
// checker between its two reads to a setter. No other setter may have written b by then, so that
// the more threads there are the fewer schedules fail.
#include <cassert>
#include <cstdlib>
#include <thread>
#include <vector>

static int a;
static int b;

static void set() {
  a = 1;
  b = -1;
}

static void check() {
  const int seen_a = a;
  const int seen_b = b;
  assert((seen_a == 0 && seen_b == 0) || (seen_a == 1 && seen_b == -1));
}

int main(int argc, char** argv) {
  const int count = argc == 2 ? std::atoi(argv[1]) : 0;
  if (count < 2) return 2;
  std::vector<std::thread> threads;
  for (int i = 0; i < count - 1; ++i) threads.emplace_back(set);
  threads.emplace_back(check);
  for (std::thread& thread : threads) thread.join();
}
