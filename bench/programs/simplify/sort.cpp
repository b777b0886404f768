// After swarm of the paper: a radix sort. In each pass workers count digits, one of them makes
// offsets of the counts, and they distribute blocks of the numbers, with barriers between.
//
// Bug: which block a worker counts next is taken from a counter without a lock: two workers may
// take the same one. In next_block().
//
// Shows as: an assertion fails in main, the numbers are not the same in order. Switches at memory
// accesses are needed.
// Fewest: with w workers and p passes 2 + w + 4 p (w - 1) switches, 1 of them a preemption: all
// arrive at each of 4 barriers a pass, whoever is the last goes on; all end and main goes on; and a
// worker that is left between reading and writing the counter comes back.
//
// Arguments: workers, passes, blocks (default: 4 4 8).
#include <pthread.h>

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

constexpr unsigned kDigits = 4;    // in base 4: 2 bits a pass
constexpr std::size_t kBlock = 4;  // numbers

using Counts = std::vector<std::vector<unsigned>>;  // of each block, for each digit

int workers = 4;
int passes = 4;
std::size_t blocks = 8;
pthread_barrier_t step_done;
std::vector<std::uint32_t> numbers;
std::vector<std::uint32_t> sorted;
Counts counts;
Counts offsets;
std::size_t next_to_count = 0;

unsigned digit_of(std::uint32_t number, int pass) { return number >> (2 * pass) & (kDigits - 1); }

/// Blocks are taken as they come: some take longer than others.
std::size_t next_block() {
  const std::size_t block = next_to_count;
  next_to_count = block + 1;
  return block;
}

void count_digits(int pass) {
  for (std::size_t block = next_block(); block < blocks; block = next_block()) {
    for (std::size_t i = block * kBlock; i < (block + 1) * kBlock; ++i) {
      ++counts[block][digit_of(numbers[i], pass)];
    }
  }
}

/// Where the numbers of each block and digit go to; alone.
void make_offsets() {
  unsigned sum = 0;
  for (unsigned digit = 0; digit < kDigits; ++digit) {
    for (std::size_t block = 0; block < blocks; ++block) {
      offsets[block][digit] = sum;
      sum += counts[block][digit];
    }
  }
  for (auto& of_block : counts) std::fill(of_block.begin(), of_block.end(), 0);
  next_to_count = 0;
}

void distribute(std::size_t self, int pass) {
  for (std::size_t block = self; block < blocks; block += static_cast<std::size_t>(workers)) {
    for (std::size_t i = block * kBlock; i < (block + 1) * kBlock; ++i) {
      const unsigned to = offsets[block][digit_of(numbers[i], pass)]++;
      if (to < sorted.size()) sorted[to] = numbers[i];
    }
  }
}

/// Those of its own blocks, back to where the next pass takes them from.
void copy_back(std::size_t self) {
  for (std::size_t block = self; block < blocks; block += static_cast<std::size_t>(workers)) {
    const auto begin = static_cast<std::ptrdiff_t>(block * kBlock);
    std::copy_n(sorted.begin() + begin, kBlock, numbers.begin() + begin);
  }
}

void* sort_share(void* argument) {
  const std::size_t self = *static_cast<const std::size_t*>(argument);
  for (int pass = 0; pass < passes; ++pass) {
    count_digits(pass);
    if (pthread_barrier_wait(&step_done) == PTHREAD_BARRIER_SERIAL_THREAD) make_offsets();
    pthread_barrier_wait(&step_done);
    distribute(self, pass);
    pthread_barrier_wait(&step_done);
    copy_back(self);
    pthread_barrier_wait(&step_done);
  }
  return nullptr;
}

std::vector<std::uint32_t> some_numbers(std::size_t count) {
  std::vector<std::uint32_t> made;
  std::uint32_t state = 1;
  for (std::size_t i = 0; i < count; ++i) {
    state = state * 1664525 + 1013904223;
    made.push_back(state >> 8 & ((1u << (2 * passes)) - 1));
  }
  return made;
}

}  // namespace

int main(int argc, char** argv) {
  workers = argc > 1 ? std::atoi(argv[1]) : 4;
  passes = argc > 2 ? std::atoi(argv[2]) : 4;
  blocks = argc > 3 ? static_cast<std::size_t>(std::atoi(argv[3])) : 8;
  if (workers < 1 || passes < 1 || passes > 12 || blocks < 1) {
    std::fprintf(stderr, "usage: sort WORKERS PASSES BLOCKS\n");
    return 2;
  }
  numbers = some_numbers(blocks * kBlock);
  sorted.resize(numbers.size());
  counts.assign(blocks, std::vector<unsigned>(kDigits));
  offsets = counts;
  std::vector<std::uint32_t> expected = numbers;
  std::sort(expected.begin(), expected.end());
  pthread_barrier_init(&step_done, nullptr, static_cast<unsigned>(workers));

  std::vector<std::size_t> selves;
  for (std::size_t i = 0; i < static_cast<std::size_t>(workers); ++i) selves.push_back(i);
  std::vector<pthread_t> threads(selves.size());
  for (std::size_t i = 0; i < threads.size(); ++i) {
    pthread_create(&threads[i], nullptr, sort_share, &selves[i]);
  }
  for (const pthread_t thread : threads) pthread_join(thread, nullptr);
  pthread_barrier_destroy(&step_done);
  assert(numbers == expected);
  std::printf("%zu numbers from %u to %u\n", numbers.size(), numbers.front(), numbers.back());
}
