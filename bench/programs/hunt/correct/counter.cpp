// N threads that increment a counter under a mutex, four times each.
#include <cassert>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

static std::mutex lock;
static int counter;

static void increment() {
  for (int i = 0; i < 4; ++i) {
    std::lock_guard guard(lock);
    ++counter;
  }
}

int main(int argc, char** argv) {
  const int count = argc == 2 ? std::atoi(argv[1]) : 0;
  if (count < 1) return 2;
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) threads.emplace_back(increment);
  for (std::thread& thread : threads) thread.join();
  assert(counter == 4 * count);
}
