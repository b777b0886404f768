// After BuggyProgram of IBM's ConTest benchmark: three workers make numbers and count them.
// Defects: races on plain counters, which lose updates; the largest number is compared and then
// set (atomicity); the largest number and its maker belong together. One counter is locked.
// Shows as: abort; at the end, main compares the plain counters with the locked one.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>

namespace {

constexpr int kWorkers = 3;
constexpr int kNumbers = 5;

// All workers change these without a lock.
int made;
int even;
long sum;
int largest = -1;
int maker_of_largest = -1;

std::mutex published_lock;
int published;

/// The number that a worker makes in a round. No two of them are equal.
int number_of(int worker, int round) { return (round * kWorkers + worker) * 7 % 16; }

void count(int worker, int number) {
  ++made;
  sum += number;
  if (number % 2 == 0) ++even;
  if (number > largest) {
    largest = number;
    maker_of_largest = worker;
  }
}

void publish() {
  std::lock_guard guard(published_lock);
  ++published;
}

void work(int worker) {
  for (int round = 0; round < kNumbers; ++round) {
    count(worker, number_of(worker, round));
    publish();
  }
}

void require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "wrong: %s\n", what);
  std::abort();
}

/// Compares the counters with those of a single thread.
void check() {
  long right_sum = 0;
  int right_largest = -1;
  int right_maker = -1;
  for (int worker = 0; worker < kWorkers; ++worker) {
    for (int round = 0; round < kNumbers; ++round) {
      const int number = number_of(worker, round);
      right_sum += number;
      if (number < right_largest) continue;
      right_largest = number;
      right_maker = worker;
    }
  }
  require(made == published, "count of numbers");
  require(sum == right_sum, "sum");
  require(largest == right_largest, "largest number");
  require(maker_of_largest == right_maker, "maker of the largest number");
}

}  // namespace

int main() {
  std::array<std::thread, kWorkers> workers;
  for (int worker = 0; worker < kWorkers; ++worker) workers[worker] = std::thread(work, worker);
  for (std::thread& worker : workers) worker.join();
  check();
  std::printf("%d numbers, %d of them even\n", published, even);
}
