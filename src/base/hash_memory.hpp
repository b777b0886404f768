/// Remembers hashes, in bounded memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace unravel {

/// Remembers the first `kMost` hashes, in at most 16 MiB. A hunt of days makes a hundred million
/// runs, and a node of a standard-library set takes 40 bytes or more.
class HashMemory {
 public:
  static constexpr std::size_t kMost = 1'500'000;

  /// Returns whether the hash is new. When the memory is full, hashes that are not in it always
  /// count as new.
  bool add(std::uint64_t hash);

  /// The number of remembered hashes: all different ones, or `kMost`.
  [[nodiscard]] std::size_t size() const { return size_ + (has_zero_ ? 1 : 0); }
  [[nodiscard]] std::size_t bytes() const { return slots_.capacity() * sizeof(std::uint64_t); }

 private:
  std::uint64_t& slot_of(std::uint64_t hash);
  void grow();

  // Open addressing; the size is a power of two, 0 means empty. At most three quarters are used, so
  // that searches stay short.
  std::vector<std::uint64_t> slots_ = std::vector<std::uint64_t>(256);
  std::size_t size_ = 0;
  bool has_zero_ = false;
};

}  // namespace unravel
