// Family: twostage_N of the SCTBench collection. N threads: N-1 write in two stages, one reads.
//
// Bug: each datum has its lock, but nothing holds the two stages together. A reader between them
// finds the first datum new and the second one old.
//
// Needs: 1 preemption, from the first writer between its stages to the reader, before any other
// writer comes to its second stage.
#include <cassert>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

static std::mutex first_lock;
static std::mutex second_lock;
static int first;
static int second;

static void write_both() {
  {
    std::lock_guard guard(first_lock);
    first = 1;
  }
  std::lock_guard guard(second_lock);
  second = first + 1;
}

static void read_both() {
  int seen_first = 0;
  {
    std::lock_guard guard(first_lock);
    if (first == 0) return;
    seen_first = first;
  }
  std::lock_guard guard(second_lock);
  assert(second == seen_first + 1);
}

int main(int argc, char** argv) {
  const int count = argc == 2 ? std::atoi(argv[1]) : 0;
  if (count < 2) return 2;
  std::vector<std::thread> threads;
  for (int i = 0; i < count - 1; ++i) threads.emplace_back(write_both);
  threads.emplace_back(read_both);
  for (std::thread& thread : threads) thread.join();
}
