// std::shared_mutex: readers see both halves of an update or none.
//
// expect: passed
// within: random, 50 runs
#include <cassert>
#include <cstdio>
#include <mutex>
#include <shared_mutex>
#include <thread>

int main() {
  std::shared_mutex lock;
  int left = 0;
  int right = 0;
  const auto read = [&] {
    for (int i = 0; i < 2; ++i) {
      const std::shared_lock guard(lock);
      const int seen = left;
      std::this_thread::yield();
      assert(seen == right);
    }
  };
  const auto write = [&] {
    for (int i = 0; i < 2; ++i) {
      const std::unique_lock guard(lock);
      ++left;
      std::this_thread::yield();
      ++right;
    }
  };

  std::thread readers[] = {std::thread(read), std::thread(read)};
  std::thread writer(write);
  for (std::thread& reader : readers) reader.join();
  writer.join();
  assert(left == 2 && right == 2);
  std::puts("ok");
}
