// Four threads call small functions with loops in them, on memory of their own, and now and then
// take a lock. Prints nanoseconds of processor time, and a sum that no schedule changes.
//
//   long_run ROUNDS    of each thread
#include <mutex>

#include "kernel.hpp"

namespace {

using namespace unravel::bench;

constexpr unsigned kThreads = 4;
constexpr std::uint64_t kRoundsPerLock = 4096;

struct alignas(64) Cells {
  std::uint64_t values[16] = {};
};

[[gnu::noinline]] std::uint64_t mix(std::uint64_t value, std::uint64_t round) {
  return (value ^ round) * 0x9e3779b97f4a7c15;
}

[[gnu::noinline]] void change_all(Cells& cells, std::uint64_t round) {
  for (std::uint64_t& value : cells.values) value = mix(value, round);
}

}  // namespace

int main(int argc, char** argv) {
  const std::uint64_t rounds = size_of_work(argc, argv);
  start_first_thread();
  std::vector<Cells> cells(kThreads);
  std::mutex mutex;
  std::uint64_t sum = 0;
  run_kernel(
      kThreads,
      [&](unsigned self) {
        for (std::uint64_t round = 0; round < rounds; ++round) {
          change_all(cells[self], round);
          if (round % kRoundsPerLock != 0) continue;
          const std::lock_guard lock(mutex);
          sum += cells[self].values[0];
        }
      },
      [&] { return sum; });
}
