// Shape: a parallel loop. Each of five workers scans its part of an array for the highest value
// above a limit.
//
// Bug: a worker compares a value with the best of all before it has the lock, and does not compare
// again. It may overwrite a better one.
//
// Needs: 1 preemption, of worker 3 between its comparison and its lock, until worker 1 has written
// the highest value. No other value is above the limit. Histogram and sum are right.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

constexpr int kWorkers = 5;
constexpr int kEach = 3;

static const int values[kWorkers * kEach] = {4, 9, 2, 7, 1, 15, 3, 8, 5, 12, 6, 1, 9, 2, 10};
static std::atomic<int> histogram[4];
static std::mutex lock;
static std::atomic<int> best = 10;  // the limit
static int sum;

static void tell_best(int value) {
  if (value <= best.load()) return;
  std::lock_guard guard(lock);
  best.store(value);
}

static void tell_sum(int amount) {
  std::lock_guard guard(lock);
  sum += amount;
}

static void scan(int worker) {
  int own_sum = 0;
  for (int i = worker * kEach; i < (worker + 1) * kEach; ++i) {
    ++histogram[values[i] / 4];
    tell_best(values[i]);
    own_sum += values[i];
  }
  tell_sum(own_sum);
}

int main() {
  std::vector<std::thread> workers;
  for (int i = 0; i < kWorkers; ++i) workers.emplace_back(scan, i);
  for (std::thread& worker : workers) worker.join();
  assert(sum == 94);
  assert(histogram[0] + histogram[1] + histogram[2] + histogram[3] == kWorkers * kEach);
  assert(best == 15);
}
