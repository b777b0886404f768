// The first construction of a static local throws; whoever comes next constructs it again.
//
// expect: passed
// within: random, 50 runs
#include <atomic>
#include <cassert>
#include <cstdio>
#include <stdexcept>
#include <thread>
#include <vector>

namespace {

std::atomic<int> attempts = 0;
std::atomic<int> thrown = 0;

struct Connection {
  Connection() {
    const bool first = ++attempts == 1;
    std::this_thread::yield();
    if (first) throw std::runtime_error("refused");
  }
};

void connect() {
  try {
    static const Connection only;
  } catch (const std::runtime_error&) {
    ++thrown;
  }
}

}  // namespace

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) threads.emplace_back(connect);
  for (std::thread& thread : threads) thread.join();
  assert(thrown == 1);
  assert(attempts == 2);
  std::puts("ok");
}
