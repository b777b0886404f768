// Two threads look whether the promise is still open and both answer it: future_error.
//
// expect: terminate
// within: random, 100 runs
// bug: is_open, answer
#include <cstdio>
#include <future>
#include <mutex>
#include <thread>

namespace {

std::mutex lock;
bool answered = false;
std::promise<int> promise;

bool is_open() {
  const std::lock_guard guard(lock);
  return !answered;
}

void answer(int value) {
  if (!is_open()) return;
  const std::lock_guard guard(lock);
  promise.set_value(value);
  answered = true;
}

}  // namespace

int main() {
  std::thread first(answer, 1);
  std::thread second(answer, 2);
  first.join();
  second.join();
  std::printf("%d\n", promise.get_future().get() > 0);
}
