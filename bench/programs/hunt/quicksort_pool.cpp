// Family: qsort_mt of the Inspect collection, nearer to it than quicksort.cpp: whoever has parted
// a range gives one half to an idle worker, and the last one to become idle ends all.
//
// Bug: that a worker has work is written under the lock of the pool, its range under its own lock,
// and it looks at the first under its own lock only. It may set to work on the range that it had
// before, and the new one is lost.
//
// Needs: 1 preemption, of whoever gives a range away between the two, to a worker that does not
// wait yet.
#include <algorithm>
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

struct Range {
  int begin = 0;
  int end = 0;
};

enum class State { kIdle, kWorks, kEnds };

struct RunnerLease {
  std::mutex lock;
  std::condition_variable changed;
  State state = State::kIdle;
  Range range;
};

constexpr int kWorkers = 3;

static std::mutex pool_lock;
static RunnerLease workers[kWorkers];
static int idle = kWorkers;
static int numbers[] = {5, 2, 8, 1, 9, 3, 7, 4};

/// A worker that was idle, with its lock held; nullptr if there is none.
static RunnerLease* allocate_worker() {
  std::lock_guard guard(pool_lock);
  for (RunnerLease& worker : workers) {
    if (worker.state != State::kIdle) continue;
    --idle;
    worker.state = State::kWorks;
    worker.lock.lock();
    return &worker;
  }
  return nullptr;
}

static bool give_away(Range range) {
  RunnerLease* worker = allocate_worker();
  if (worker == nullptr) return false;
  worker->range = range;
  worker->changed.notify_one();
  worker->lock.unlock();
  return true;
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

static void sort(Range range) {
  while (range.end - range.begin > 1) {
    const int middle = partition(range);
    const Range right{middle + 1, range.end};
    if (right.end - right.begin > 1 && !give_away(right)) sort(right);
    range.end = middle;
  }
}

/// Whether all are idle now; then the others are told to end.
static bool become_idle(RunnerLease& self) {
  std::lock_guard guard(pool_lock);
  self.state = State::kIdle;
  if (++idle < kWorkers) return false;
  for (RunnerLease& worker : workers) {
    if (&worker == &self) continue;
    std::lock_guard worker_guard(worker.lock);
    worker.state = State::kEnds;
    worker.changed.notify_one();
  }
  return true;
}

static void work(RunnerLease* self) {
  do {
    std::unique_lock guard(self->lock);
    while (self->state == State::kIdle) self->changed.wait(guard);
    if (self->state == State::kEnds) return;
    guard.unlock();
    sort(self->range);
  } while (!become_idle(*self));
}

int main() {
  std::vector<std::thread> threads;
  for (RunnerLease& worker : workers) threads.emplace_back(work, &worker);
  give_away({0, static_cast<int>(std::size(numbers))});
  for (std::thread& thread : threads) thread.join();
  assert(std::is_sorted(std::begin(numbers), std::end(numbers)));
}
