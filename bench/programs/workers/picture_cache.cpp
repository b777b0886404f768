// Shape: four workers take pictures to be shown from a list. A cache keeps those that were drawn.
//
// Bug: a worker looks into the cache, draws the picture without a lock, and puts it into the cache
// without looking again. A picture may be in the cache twice.
//
// Needs: 1 preemption, of the worker that has the first of two equal pictures, between its look and
// its lock, until another worker has put the second one into the cache.
#include <atomic>
#include <cassert>
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <vector>

constexpr int kWorkers = 4;

static const int wanted[] = {3, 1, 4, 7, 5, 9, 2, 6, 1, 8};  // only 1 comes twice
constexpr int kWanted = 10;
constexpr int kDifferent = 9;

struct Picture {
  int number;
  int pixels;
};

static std::shared_mutex lock;
static std::vector<Picture> cache;
static std::atomic<int> next_wanted;
static std::atomic<int> pixels_shown;

static int look_up(int number) {
  std::shared_lock guard(lock);
  for (const Picture& picture : cache) {
    if (picture.number == number) return picture.pixels;
  }
  return 0;
}

static int draw(int number) {
  int pixels = 0;
  for (int line = 1; line <= number; ++line) pixels += line;
  std::unique_lock guard(lock);
  cache.push_back({number, pixels});
  return pixels;
}

static void show_pictures() {
  for (int i = next_wanted++; i < kWanted; i = next_wanted++) {
    int pixels = look_up(wanted[i]);
    if (pixels == 0) pixels = draw(wanted[i]);
    pixels_shown += pixels;
  }
}

int main() {
  std::vector<std::thread> workers;
  for (int i = 0; i < kWorkers; ++i) workers.emplace_back(show_pictures);
  for (std::thread& worker : workers) worker.join();
  assert(pixels_shown == 166);
  assert(cache.size() == kDifferent);
}
