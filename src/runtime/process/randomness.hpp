/// Random bytes for the program, the same in every run.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/core/decide.hpp"

namespace unravel {

/// Draws are made with the turn in hand, so their order belongs to the schedule. A run goes on with
/// the state at which the program's start left off.
class Randomness {
 public:
  Randomness() = default;
  explicit Randomness(std::uint64_t seed) : random_(seed) {}

  std::uint64_t next() { return random_.next(); }

  void fill(void* bytes, std::size_t size) {
    auto* to = static_cast<unsigned char*>(bytes);
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < size; ++i, word >>= 8) {
      if (i % sizeof(word) == 0) word = next();
      to[i] = static_cast<unsigned char>(word);
    }
  }

 private:
  // An arbitrary number that never changes.
  RuleRandom random_{0x756e'7261'7665'6c31};
};

}  // namespace unravel
