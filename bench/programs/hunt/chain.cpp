// Family: bugs of a given depth, as the papers on PCT and its kin make them. Two threads advance
// one state by turns: the first from 0 to 1, the second from 1 to 2, the first from 2 to 3 and so
// on. Each tries each of its steps once, and closes the chain when it ends.
//
// Bug: the last step must not be made, and is by one exact alternation.
//
// Needs: N preemptions in one order, one behind every step but the last of N + 1.
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <thread>

constexpr int kClosed = -1;

static std::atomic<int> state;
static int last;

static void advance(int first) {
  for (int step = first; step <= last; step += 2) {
    if (state.load() != step) continue;
    assert(step != last);
    state.store(step + 1);
  }
  state.store(kClosed);
}

int main(int argc, char** argv) {
  last = argc == 2 ? std::atoi(argv[1]) : 0;
  if (last < 1) return 2;
  std::thread even(advance, 0);
  std::thread odd(advance, 1);
  even.join();
  odd.join();
}
