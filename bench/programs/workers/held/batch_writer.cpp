// Shape: three workers put lines into a batch. The one whose line fills the batch writes it.
//
// Bug: that the batch is full is known under the lock, but it is written under the lock taken once
// more. Another line may come between the two, and that one finds the batch full as well.
//
// Needs: 1 preemption, of the worker whose line fills the batch between its two locks, until
// another worker has put a line and written the batch.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

constexpr int kWorkers = 3;
constexpr int kLines = 9;
constexpr int kBatch = 4;

static std::atomic<int> next_line;
static std::atomic<int> length_of_lines;
static std::mutex lock;
static int batch[2 * kBatch];
static int in_batch;
static int written;
static int blocks;

static bool put(int line) {
  std::lock_guard guard(lock);
  batch[in_batch++] = line;
  return in_batch >= kBatch;
}

static void write_batch() {
  std::lock_guard guard(lock);
  assert(in_batch > 0);  // an empty block would end the file
  written += in_batch;
  ++blocks;
  in_batch = 0;
}

static void work() {
  for (int line = next_line++; line < kLines; line = next_line++) {
    length_of_lines += 10 + line;
    if (put(line)) write_batch();
  }
}

int main() {
  std::vector<std::thread> workers;
  for (int i = 0; i < kWorkers; ++i) workers.emplace_back(work);
  for (std::thread& worker : workers) worker.join();
  if (in_batch > 0) write_batch();
  assert(written == kLines && blocks <= 3);
  assert(length_of_lines == 126);
}
