// Main leaves early, without join, if the result is already there: the std::thread is
// destroyed while it is joinable.
//
// expect: terminate
// within: random, 100 runs
// bug: work, is_ready, main
#include <cstdio>
#include <mutex>
#include <thread>

namespace {

std::mutex lock;
bool ready = false;

void work() {
  const std::lock_guard guard(lock);
  ready = true;
}

bool is_ready() {
  const std::lock_guard guard(lock);
  return ready;
}

}  // namespace

int main() {
  std::thread worker(work);
  if (is_ready()) return 0;
  worker.join();
  std::puts("ok");
}
