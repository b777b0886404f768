// Family: a quicksort by a pool of threads (qsort_mt of the Inspect collection): ranges to be
// sorted are on a shared stack, whoever finds it empty waits, and with nobody at work the sort is
// done.
//
// Bug: a worker takes a range under one hold of the lock and counts itself as busy under the next.
// Whoever finds the stack empty between the two ends the sort.
//
// Needs: 1 preemption, of the worker that has the only range there is, between the two.
#include <algorithm>
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

struct Range {
  int begin;
  int end;
};

constexpr int kWorkers = 3;

static std::mutex lock;
static std::condition_variable changed;
static std::vector<Range> ranges;
static int busy;
static bool done;
static int numbers[] = {5, 2, 8, 1, 9, 3, 7, 4};

static void end_if_idle() {
  if (busy > 0 || !ranges.empty()) return;
  done = true;
  changed.notify_all();
}

static bool take_range(Range& range) {
  std::unique_lock guard(lock);
  while (ranges.empty() && !done) {
    end_if_idle();
    if (!done) changed.wait(guard);
  }
  if (done) return false;
  range = ranges.back();
  ranges.pop_back();
  return true;
}

static void push_range(Range range) {
  if (range.end - range.begin < 2) return;
  std::lock_guard guard(lock);
  ranges.push_back(range);
  changed.notify_one();
}

static int partition(Range range) {
  const int pivot = numbers[range.end - 1];
  int middle = range.begin;
  for (int i = range.begin; i < range.end - 1; ++i) {
    if (numbers[i] < pivot) std::swap(numbers[i], numbers[middle++]);
  }
  std::swap(numbers[middle], numbers[range.end - 1]);
  return middle;
}

static void work() {
  Range range;
  while (take_range(range)) {
    {
      std::lock_guard guard(lock);
      ++busy;
    }
    const int middle = partition(range);
    push_range({range.begin, middle});
    push_range({middle + 1, range.end});
    std::lock_guard guard(lock);
    --busy;
    end_if_idle();
  }
}

int main() {
  ranges.push_back({0, static_cast<int>(std::size(numbers))});
  std::vector<std::thread> workers;
  for (int i = 0; i < kWorkers; ++i) workers.emplace_back(work);
  for (std::thread& worker : workers) worker.join();
  assert(std::is_sorted(std::begin(numbers), std::end(numbers)));
}
