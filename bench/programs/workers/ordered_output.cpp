// Shape: a pipeline. Four workers transform items in any order. Finished items are written in the
// order of their numbers, by whoever has the lock for that; the others leave it to that one.
//
// Bug: the worker with the lock may have looked for the next item already. If that item is finished
// before the lock is free, nobody writes it.
//
// Needs: 1 preemption, of the worker with the lock between its last look and its unlock, until
// another worker has finished the last item.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

constexpr int kWorkers = 4;
constexpr int kItems = 5;

static std::mutex input_lock;
static int taken;
static int transformed[kItems];
static std::atomic<bool> finished[kItems];
static std::mutex output_lock;
static int written;
static int output[kItems];

static int take_item() {
  std::lock_guard guard(input_lock);
  return taken < kItems ? taken++ : kItems;
}

static void write_finished() {
  std::unique_lock guard(output_lock, std::try_to_lock);
  if (!guard.owns_lock()) return;
  while (written < kItems && finished[written].load()) {
    output[written] = transformed[written];
    ++written;
  }
}

static void work() {
  for (int item = take_item(); item < kItems; item = take_item()) {
    transformed[item] = item * item;
    finished[item].store(true);
    write_finished();
  }
}

int main() {
  std::vector<std::thread> workers;
  for (int i = 0; i < kWorkers; ++i) workers.emplace_back(work);
  for (std::thread& worker : workers) worker.join();
  assert(written == kItems);
  for (int i = 0; i < kItems; ++i) assert(output[i] == i * i);
}
