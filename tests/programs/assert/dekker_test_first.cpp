// Dekker's lock, but each thread looks at the other's wish before it shows its own: both get in.
//
// expect: assert
// within: random, 200 runs
// bug: enter, work, main
// flags: -fsanitize=thread -O1
#include <atomic>
#include <cassert>
#include <cstdio>
#include <thread>

static std::atomic<bool> wants[2];
static std::atomic<int> inside;

static void enter(int me) {
  while (wants[1 - me]) continue;
  wants[me] = true;
}

static void leave(int me) { wants[me] = false; }

static void work(int me) {
  for (int i = 0; i < 4; i++) {
    enter(me);
    assert(++inside == 1);
    --inside;
    leave(me);
  }
}

int main() {
  std::thread other(work, 1);
  work(0);
  other.join();
  puts("ok");
}
