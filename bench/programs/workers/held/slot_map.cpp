// Shape: five workers take buffers of many sizes from maps of free slots.
//
// Bug: a worker looks for a free slot in a map, and then marks it without asking whether it was
// still free. Two workers may have the same buffer.
//
// Needs: 1 preemption, of worker 0 between its look for size 2 and its mark, until worker 3 has
// marked the slot. No other size is needed twice.
#include <atomic>
#include <bit>
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

constexpr int kWorkers = 5;
constexpr int kSizes = 14;
constexpr int kEach = 3;
constexpr int kSlots = 8;

struct Buffers {
  std::atomic<unsigned> used = 0;
  std::atomic<int> users[kSlots] = {};
  std::atomic<int> bytes = 0;
};

static const int sizes_of[kWorkers][kEach] = {
    {0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {9, 2, 10}, {11, 12, 13}};
static Buffers buffers[kSizes];
static std::mutex lock;
static int bytes_in_use;

static int take_slot(Buffers& from) {
  const unsigned used = from.used.load();
  const int slot = std::countr_one(used);
  from.used.fetch_or(1u << slot);
  return slot;
}

static void work(int worker) {
  for (const int size : sizes_of[worker]) {
    const int slot = take_slot(buffers[size]);
    ++buffers[size].users[slot];
    buffers[size].bytes += 16 + size;
    std::lock_guard guard(lock);
    bytes_in_use += 16 + size;
  }
}

int main() {
  std::vector<std::thread> workers;
  for (int i = 0; i < kWorkers; ++i) workers.emplace_back(work, i);
  for (std::thread& worker : workers) worker.join();
  int bytes = 0;
  for (const Buffers& of_size : buffers) {
    for (const std::atomic<int>& users : of_size.users) assert(users <= 1);
    bytes += of_size.bytes;
  }
  assert(bytes == bytes_in_use);
}
