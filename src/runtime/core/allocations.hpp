/// Memory that the program allocated before its first run and has not freed. A trace names objects
/// by where they were allocated, and this covers objects that are older than the trace.
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

/// In order of allocation.
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
  // Open addressing with twice as many places as entries. A place holds the number of its entry
  // plus one; 0: free. Freed entries keep their places until the table is built again.
  std::uint32_t* places_ = nullptr;
};

}  // namespace unravel
