// Shape: five workers count the words of their chapters. The last one that is done adds the counts.
//
// Bug: a worker subtracts itself from the number of workers and reads that number in a second step.
// Two workers may both take themselves for the last one.
//
// Needs: 1 preemption, of any worker but the last between its two steps, until all others are done.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

constexpr int kWorkers = 5;
constexpr int kChapters = 10;

static const int words[kChapters] = {12, 7, 30, 5, 9, 14, 21, 3, 8, 11};
static std::atomic<int> next_chapter;
static std::mutex counts_lock;
static int count_of[kChapters];
static int chapters_done;
static std::atomic<int> busy = kWorkers;
static std::atomic<int> total;

static void count_chapter(int chapter) {
  int counted = 0;
  for (int word = 0; word < words[chapter]; ++word) ++counted;
  std::lock_guard guard(counts_lock);
  count_of[chapter] = counted;
  ++chapters_done;
}

static void add_counts() {
  std::lock_guard guard(counts_lock);
  for (const int count : count_of) total += count;
}

static void work() {
  for (int chapter = next_chapter++; chapter < kChapters; chapter = next_chapter++) {
    count_chapter(chapter);
  }
  --busy;
  if (busy.load() == 0) add_counts();
}

int main() {
  std::vector<std::thread> workers;
  for (int i = 0; i < kWorkers; ++i) workers.emplace_back(work);
  for (std::thread& worker : workers) worker.join();
  assert(chapters_done == kChapters);
  assert(total == 120);
}
