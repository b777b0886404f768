// A promise that one thread keeps and two wait for, by the standard library.
#include <cassert>
#include <future>
#include <thread>

static int prepared;

int main() {
  std::promise<int> promise;
  const std::shared_future<int> answer = promise.get_future().share();
  std::thread asking([answer] { assert(answer.get() == 42 && prepared == 1); });
  std::thread asking_too([answer] { assert(answer.get() == 42 && prepared == 1); });
  std::thread answering([&promise] {
    prepared = 1;
    promise.set_value(42);
  });
  asking.join();
  asking_too.join();
  answering.join();
}
