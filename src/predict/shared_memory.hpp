/// The first pass over a trace: which memory several threads touch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "data/trace.hpp"
#include "predict/address_table.hpp"
#include "predict/granule_lives.hpp"

namespace unravel {

class SharedMemory {
 public:
  void take(std::span<const TraceEvent> events);

  [[nodiscard]] const GranuleLife& life(LifeNumber number) const { return lives_[number]; }
  [[nodiscard]] std::size_t count() const { return lives_.size(); }
  /// About as many events as the second pass will keep.
  [[nodiscard]] std::size_t expected() const { return expected_; }
  [[nodiscard]] std::size_t bytes() const {
    return map_.bytes() + lives_.capacity() * sizeof(GranuleLife);
  }

 private:
  void take(const TraceEvent& event);
  void access(const TraceEvent& event, std::uint64_t address, std::uint8_t bytes, bool writes);

  GranuleMap map_;
  std::vector<GranuleLife> lives_{1};
  AddressTable<std::uint64_t> blocks_;  // sizes of allocated memory
  std::size_t expected_ = 0;
};

/// The bits of `count` bytes from this one on.
constexpr std::uint8_t byte_bits(std::uint64_t first, std::uint64_t count) {
  return static_cast<std::uint8_t>(((1u << count) - 1) << first);
}

}  // namespace unravel
