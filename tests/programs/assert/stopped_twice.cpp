// Whoever finds the service not stopped yet sets the flag and stops it: both threads do.
//
// expect: assert
// within: random, 200 runs
// bug: stop, main
// flags: -fsanitize=thread -O1
#include <atomic>
#include <cassert>
#include <cstdio>
#include <thread>

static bool stopped;
static std::atomic<int> times;

static void stop() {
  if (!stopped) {
    stopped = true;
    assert(++times == 1);
  }
}

int main() {
  std::thread other(stop);
  stop();
  other.join();
  puts("ok");
}
