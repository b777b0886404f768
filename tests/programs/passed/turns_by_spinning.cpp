// Two threads take turns; each spins until it is its turn, with no call in the loop.
//
// expect: passed
// within: random, 50 runs
// flags: -fsanitize=thread -O1
#include <atomic>
#include <cassert>
#include <cstdio>
#include <thread>

static std::atomic<int> turn;
static int ball;

static void play(int me) {
  for (int round = 0; round < 3; round++) {
    while (turn.load(std::memory_order_acquire) != me) continue;
    assert(ball % 2 == me);
    ball++;
    turn.store(1 - me, std::memory_order_release);
  }
}

int main() {
  std::thread first(play, 0), second(play, 1);
  first.join();
  second.join();
  assert(ball == 6);
  puts("ok");
}
