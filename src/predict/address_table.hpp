/// A hash table from addresses (or other 64-bit keys) to small values, in one block of memory.
///
/// Open addressing with linear probing: a lookup mostly touches one cache line; the standard
/// library's map touches three. An insertion or removal invalidates references.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace unravel {

template <class Value>
class AddressTable {
 public:
  /// The one key that cannot be used; it is no address and no pair of sites.
  static constexpr std::uint64_t kNoKey = ~std::uint64_t{0};

  [[nodiscard]] Value* find(std::uint64_t key) {
    if (count_ == 0) return nullptr;
    for (std::size_t i = home(key);; i = next(i)) {
      if (entries_[i].key == key) return &entries_[i].value;
      if (entries_[i].key == kNoKey) return nullptr;
    }
  }

  /// The value of this key, default-constructed if it is new.
  Value& operator[](std::uint64_t key) {
    if ((count_ + 1) * 3 > entries_.size() * 2) grow();
    std::size_t i = home(key);
    while (entries_[i].key != key) {
      if (entries_[i].key == kNoKey) {
        entries_[i].key = key;
        ++count_;
        break;
      }
      i = next(i);
    }
    return entries_[i].value;
  }

  void erase(std::uint64_t key) {
    Value* const found = find(key);
    if (!found) return;
    std::size_t hole = home(key);
    while (entries_[hole].key != key) hole = next(hole);
    // Entries that were pushed past the hole move back into it, so that no search stops too early.
    for (std::size_t i = next(hole); entries_[i].key != kNoKey; i = next(i)) {
      const std::size_t wanted = home(entries_[i].key);
      if (((i - wanted) & mask()) < ((i - hole) & mask())) continue;
      entries_[hole] = std::move(entries_[i]);
      hole = i;
    }
    entries_[hole] = Entry{};
    --count_;
  }

  /// Calls visit(key, value) for all entries, in no particular order.
  template <class Visit>
  void for_each(Visit visit) {
    for (Entry& entry : entries_) {
      if (entry.key != kNoKey) visit(entry.key, entry.value);
    }
  }

  /// Prefetches the place of the key's value. Always inlined, as all prefetching functions: GCC
  /// would regard a function that only prefetches as one without effect, and drop its calls.
  [[gnu::always_inline]] inline void prefetch(std::uint64_t key) const {
    if (count_ != 0) __builtin_prefetch(&entries_[home(key)]);
  }

  [[nodiscard]] std::size_t size() const { return count_; }
  [[nodiscard]] std::size_t bytes() const { return entries_.capacity() * sizeof(Entry); }

 private:
  struct Entry {
    std::uint64_t key = kNoKey;
    Value value{};
  };

  static constexpr std::size_t kFirstCapacity = 16;

  [[nodiscard]] std::size_t mask() const { return entries_.size() - 1; }
  [[nodiscard]] std::size_t next(std::size_t i) const { return (i + 1) & mask(); }
  [[nodiscard]] std::size_t home(std::uint64_t key) const {
    // Fibonacci hashing: the upper bits of the product depend on all bits of the key.
    return (key * 0x9E3779B97F4A7C15u) >> shift_;
  }

  void grow() {
    std::vector<Entry> old = std::move(entries_);
    entries_ = std::vector<Entry>(old.empty() ? kFirstCapacity : old.size() * 2);
    shift_ = 64 - static_cast<unsigned>(std::countr_zero(entries_.size()));
    for (Entry& entry : old) {
      if (entry.key == kNoKey) continue;
      std::size_t i = home(entry.key);
      while (entries_[i].key != kNoKey) i = next(i);
      entries_[i] = std::move(entry);
    }
  }

  std::vector<Entry> entries_;  // the size is a power of two; never full
  std::size_t count_ = 0;
  unsigned shift_ = 0;
};

}  // namespace unravel
