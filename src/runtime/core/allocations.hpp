/// Memory that the program allocated before its first run began and has not freed: a trace names
/// objects by where they were allocated, also those that were there before it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/core/object_table.hpp"

namespace unravel {

struct Allocation {
  std::uint64_t address = 0;  // 0: freed
  std::uint64_t size = 0;
  const void* site = nullptr;
};

/// In the order in which they were made.
class Allocations {
 public:
  explicit Allocations(Arena& arena) : arena_(arena) {}

  void add(const Allocation& allocation);
  void remove(std::uint64_t address);

  template <class Visit>
  void for_each(Visit visit) const {
    for (std::uint32_t i = 0; i < count_; ++i) {
      if (entries_[i].address) visit(entries_[i]);
    }
  }

 private:
  static constexpr std::uint32_t kNone = ~0u;

  [[nodiscard]] std::uint32_t* place_of(std::uint64_t address) const;
  void make_room();

  Arena& arena_;
  Allocation* entries_ = nullptr;
  std::uint32_t count_ = 0;
  std::uint32_t live_ = 0;
  std::uint32_t capacity_ = 0;
  // Open addressing, twice as many places as entries: the number of an entry plus one; 0: free.
  // Freed entries keep their places until all are laid out again.
  std::uint32_t* places_ = nullptr;
};

}  // namespace unravel
