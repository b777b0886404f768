// Family: wronglock of the SCTBench collection.
//
// Bug: two locks for one datum. One thread increments it under the first and checks what it got;
// the others increment it under the second.
//
// Needs: 1 preemption, of the checking thread between its two looks, until another has
// incremented.
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

constexpr int kOthers = 3;

static std::mutex right_lock;
static std::mutex wrong_lock;
static volatile int data;  // each look is one

static void increment_and_check() {
  std::lock_guard guard(right_lock);
  const int before = data;
  data = data + 1;
  assert(data == before + 1);
}

static void increment() {
  std::lock_guard guard(wrong_lock);
  data = data + 1;
}

int main() {
  std::vector<std::thread> threads;
  threads.emplace_back(increment_and_check);
  for (int i = 0; i < kOthers; ++i) threads.emplace_back(increment);
  for (std::thread& thread : threads) thread.join();
}
