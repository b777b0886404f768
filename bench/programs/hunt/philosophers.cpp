// Family: the dining philosophers, N of them (din_phil of the SCTBench collection).
//
// Bug: every one takes the left fork first. When all have it, all wait for the right one: a
// deadlock.
//
// Needs: 1 preemption, of one between its two forks; then the others one after the other against
// the ring, each of which takes its left fork and finds the right one taken.
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

static std::vector<std::mutex>* forks;

static void dine(std::size_t self) {
  std::lock_guard left((*forks)[self]);
  std::lock_guard right((*forks)[(self + 1) % forks->size()]);
}

int main(int argc, char** argv) {
  const int count = argc == 2 ? std::atoi(argv[1]) : 0;
  if (count < 2) return 2;
  std::vector<std::mutex> on_table(static_cast<std::size_t>(count));
  forks = &on_table;
  std::vector<std::thread> philosophers;
  for (std::size_t i = 0; i < on_table.size(); ++i) philosophers.emplace_back(dine, i);
  for (std::thread& philosopher : philosophers) philosopher.join();
}
