// Dekker's lock guards a plain counter.
//
// expect: passed
// within: random, 50 runs
// flags: -fsanitize=thread
#include <atomic>
#include <cassert>
#include <cstdio>
#include <thread>

static std::atomic<bool> wants[2];
static std::atomic<int> turn;
static int counter;

static void enter(int me) {
  wants[me] = true;
  while (wants[1 - me]) {
    if (turn == me) continue;
    wants[me] = false;
    while (turn != me) continue;
    wants[me] = true;
  }
}

static void leave(int me) {
  turn = 1 - me;
  wants[me] = false;
}

static void work(int me) {
  for (int i = 0; i < 2; i++) {
    enter(me);
    counter++;
    leave(me);
  }
}

int main() {
  std::thread first(work, 0), second(work, 1);
  first.join();
  second.join();
  assert(counter == 4);
  puts("ok");
}
