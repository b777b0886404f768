// Four threads fill hash tables of their own, one after the other, and look up every key and as
// many that are not there. Prints nanoseconds of processor time, and the sum of what was found.
//
//   hash_table KEYS    of each thread
#include "kernel.hpp"

namespace {

using namespace unravel::bench;

constexpr unsigned kThreads = 4;

struct Entry {
  std::uint64_t key;
  std::uint64_t value;
  Entry* next;
};

/// Chained, as std::unordered_map is, and never grows.
class Table {
 public:
  Table(std::uint64_t buckets, std::uint64_t entries)
      : mask_(buckets - 1), buckets_(buckets), entries_(entries) {}

  void insert(std::uint64_t key, std::uint64_t value) {
    Entry*& bucket = buckets_[index(key)];
    for (Entry* entry = bucket; entry; entry = entry->next) {
      if (entry->key == key) {
        entry->value += value;
        return;
      }
    }
    Entry& entry = entries_[used_++];
    entry = Entry{key, value, bucket};
    bucket = &entry;
  }

  std::uint64_t find(std::uint64_t key) const {
    for (const Entry* entry = buckets_[index(key)]; entry; entry = entry->next) {
      if (entry->key == key) return entry->value;
    }
    return 0;
  }

 private:
  std::uint64_t index(std::uint64_t key) const { return (key * 0x9e3779b97f4a7c15) >> 32 & mask_; }

  std::uint64_t mask_;
  std::uint64_t used_ = 0;
  std::vector<Entry*> buckets_;
  std::vector<Entry> entries_;
};

std::uint64_t fill_and_search(Table& table, std::uint64_t seed, std::uint64_t keys) {
  std::uint64_t state = seed;
  for (std::uint64_t i = 0; i < keys; ++i) table.insert(next_random(state), i);
  std::uint64_t sum = 0;
  state = seed;
  for (std::uint64_t i = 0; i < keys; ++i) {
    const std::uint64_t key = next_random(state);
    sum += table.find(key) + table.find(~key);
  }
  return sum;
}

}  // namespace

int main(int argc, char** argv) {
  const std::uint64_t keys = size_of_work(argc, argv);
  start_first_thread();
  // Fits into the cache: what is asked for is the cost of hooks, not of memory.
  constexpr std::uint64_t kBuckets = 1024;
  constexpr std::uint64_t kKeysOfATable = 2000;
  std::vector<Table> tables(kThreads, Table(kBuckets, kKeysOfATable));
  std::vector<std::uint64_t> sums(kThreads);
  run_kernel(
      kThreads,
      [&](unsigned self) {
        std::uint64_t sum = 0;
        for (std::uint64_t done = 0; done < keys; done += kKeysOfATable) {
          Table table = tables[self];
          sum += fill_and_search(table, done + self + 1, kKeysOfATable);
        }
        sums[self] = sum;
      },
      [&] { return sums[0] + sums[1] + sums[2] + sums[3]; });
}
