// Whoever exchanges the flag first stops the service, and nobody else does.
//
// expect: passed
// within: random, 50 runs
// flags: -fsanitize=thread -O1
#include <atomic>
#include <cassert>
#include <cstdio>
#include <thread>

static std::atomic<bool> stopped;
static int times;

static void stop() {
  if (!stopped.exchange(true)) times++;
}

int main() {
  std::thread other(stop);
  stop();
  other.join();
  assert(times == 1);
  puts("ok");
}
