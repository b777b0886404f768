// Two threads may wait for the value, but whoever stores it notifies only one of them.
//
// expect: lost-wakeup
// within: random, 100 runs
// bug: await, finish, main
#include <atomic>
#include <chrono>
#include <cstdio>
#include <thread>

namespace {

std::atomic<int> finished = 0;

void await() { finished.wait(0); }

void finish() {
  finished = 1;
  finished.notify_one();
}

}  // namespace

int main() {
  std::thread first(await);
  std::thread second(await);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  finish();
  first.join();
  second.join();
  std::puts("ok");
}
