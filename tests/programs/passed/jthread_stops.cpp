// A std::jthread runs until its destructor asks it to stop, and is joined there.
//
// expect: passed
// within: random, 50 runs
#include <atomic>
#include <cassert>
#include <cstdio>
#include <stop_token>
#include <thread>

int main() {
  std::atomic<bool> stopped = false;
  std::atomic<bool> called_back = false;
  {
    const std::jthread worker([&](const std::stop_token& stop) {
      const std::stop_callback callback(stop, [&] { called_back = true; });
      while (!stop.stop_requested()) std::this_thread::yield();
      stopped = true;
    });
  }
  assert(stopped);
  assert(called_back);
  std::puts("ok");
}
