// Family: sigma, of the pthread programs of the software verification competition: every thread
// marks one place of an array, and the sum of the marks must be the number of threads.
//
// Bug: the next place is a plain counter that nothing guards; two threads mark the same place.
//
// Needs: 1 preemption, from a thread between its look at the counter and its increment to another
// one.
#include <cassert>
#include <thread>
#include <vector>

constexpr int kThreads = 5;

static int marks[kThreads];
static int next_place;

static void mark() {
  marks[next_place] = 1;
  ++next_place;
}

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) threads.emplace_back(mark);
  for (std::thread& thread : threads) thread.join();
  int sum = 0;
  for (const int value : marks) sum += value;
  assert(sum == kThreads);
}
