/// Which hashes were seen before, in bounded memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace unravel {

/// Remembers the first `kMost` hashes, in at most 16 MiB: a hunt for days makes a hundred million
/// runs, and a node of a set of the standard library takes 40 bytes or more.
class HashMemory {
 public:
  static constexpr std::size_t kMost = 1'500'000;

  /// Whether it is not remembered from before. When the memory is full, what is not in it stays
  /// new.
  bool add(std::uint64_t hash);

  /// How many are remembered: all that were seen, or `kMost`.
  [[nodiscard]] std::size_t size() const { return size_ + (has_zero_ ? 1 : 0); }
  [[nodiscard]] std::size_t bytes() const { return slots_.capacity() * sizeof(std::uint64_t); }

 private:
  std::uint64_t& slot_of(std::uint64_t hash);
  void grow();

  // Open addressing: a power of two of them, 0 is empty. At most three quarters are taken, so that
  // a search ends after a few.
  std::vector<std::uint64_t> slots_ = std::vector<std::uint64_t>(256);
  std::size_t size_ = 0;
  bool has_zero_ = false;
};

}  // namespace unravel
