// Sorts numbers by quicksort, whose first two divisions give halves to further threads: four in
// all. Prints nanoseconds of processor time, and a hash over the sorted numbers.
//
//   quicksort NUMBERS
#include <utility>

#include "kernel.hpp"

namespace {

using namespace unravel::bench;

constexpr unsigned kDivisionsWithThreads = 2;
constexpr std::ptrdiff_t kSortedByInsertion = 16;

void insertion_sort(std::uint64_t* begin, std::uint64_t* end) {
  for (std::uint64_t* next = begin + 1; next < end; ++next) {
    const std::uint64_t value = *next;
    std::uint64_t* hole = next;
    for (; hole > begin && hole[-1] > value; --hole) *hole = hole[-1];
    *hole = value;
  }
}

/// Hoare's: where the second half begins. Neither half is empty, for the pivot is not the last.
std::uint64_t* divide(std::uint64_t* begin, std::uint64_t* end) {
  const std::uint64_t pivot = begin[(end - begin) / 2];
  std::uint64_t* low = begin;
  std::uint64_t* high = end - 1;
  for (;;) {
    while (*low < pivot) ++low;
    while (pivot < *high) --high;
    if (low >= high) return high + 1;
    std::swap(*low++, *high--);
  }
}

void sort(std::uint64_t* begin, std::uint64_t* end, unsigned divisions_with_threads) {
  if (end - begin <= kSortedByInsertion) {
    insertion_sort(begin, end);
    return;
  }
  std::uint64_t* middle = divide(begin, end);
  if (divisions_with_threads == 0) {
    sort(begin, middle, 0);
    sort(middle, end, 0);
    return;
  }
  std::thread other(sort, begin, middle, divisions_with_threads - 1);
  sort(middle, end, divisions_with_threads - 1);
  other.join();
}

}  // namespace

int main(int argc, char** argv) {
  const std::uint64_t count = size_of_work(argc, argv);
  start_first_thread();
  std::vector<std::uint64_t> numbers(count);
  std::uint64_t state = 1;
  for (std::uint64_t& number : numbers) number = next_random(state);
  run_kernel(
      1, [&](unsigned) { sort(numbers.data(), numbers.data() + count, kDivisionsWithThreads); },
      [&] {
        std::uint64_t hash = 0;
        for (const std::uint64_t number : numbers) hash = hash * 31 + number;
        return hash;
      });
}
