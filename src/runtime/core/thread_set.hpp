/// A set of thread slots, as a bitmap. Operations take constant time for up to 64 threads, and one
/// word more for each further 64 slots.
#pragma once

#include <bit>
#include <cstdint>

#include "wire/control.hpp"

namespace unravel {

/// The slot of a thread that is not alive.
inline constexpr std::uint16_t kNoSlot = 0xffff;

class ThreadSet {
 public:
  static constexpr std::uint32_t kNone = ~0u;

  void add(std::uint32_t slot) {
    words_[slot / 64] |= bit(slot);
    if (slot / 64 >= used_) used_ = slot / 64 + 1;
  }
  void remove(std::uint32_t slot) { words_[slot / 64] &= ~bit(slot); }
  void set(std::uint32_t slot, bool in) { in ? add(slot) : remove(slot); }
  [[nodiscard]] bool contains(std::uint32_t slot) const { return words_[slot / 64] & bit(slot); }

  [[nodiscard]] bool empty() const {
    for (std::uint32_t i = 0; i < used_; ++i) {
      if (words_[i]) return false;
    }
    return true;
  }

  [[nodiscard]] std::uint32_t count() const {
    std::uint32_t count = 0;
    for (std::uint32_t i = 0; i < used_; ++i) {
      count += static_cast<std::uint32_t>(std::popcount(words_[i]));
    }
    return count;
  }

  /// The n-th member in the order of slots, counted from 0.
  [[nodiscard]] std::uint32_t nth(std::uint32_t n) const {
    for (std::uint32_t i = 0; i < used_; ++i) {
      const auto here = static_cast<std::uint32_t>(std::popcount(words_[i]));
      if (n >= here) {
        n -= here;
        continue;
      }
      std::uint64_t word = words_[i];
      while (n-- > 0) word &= word - 1;
      return i * 64 + static_cast<std::uint32_t>(std::countr_zero(word));
    }
    return kNone;
  }

  /// The first member at or after `slot`, or kNone.
  [[nodiscard]] std::uint32_t first_from(std::uint32_t slot) const {
    for (std::uint32_t i = slot / 64; i < used_; ++i) {
      std::uint64_t word = words_[i];
      if (i == slot / 64) word &= ~std::uint64_t{0} << (slot % 64);
      if (word) return i * 64 + static_cast<std::uint32_t>(std::countr_zero(word));
    }
    return kNone;
  }

  /// The next member after `slot`, round-robin; `slot` itself comes last. kNone: the set is empty.
  [[nodiscard]] std::uint32_t next_after(std::uint32_t slot) const {
    const std::uint32_t next = first_from(slot + 1);
    return next != kNone ? next : first_from(0);
  }

 private:
  static constexpr std::uint64_t bit(std::uint32_t slot) { return std::uint64_t{1} << (slot % 64); }

  std::uint64_t words_[wire::kMostThreads / 64 + 1] = {};
  std::uint32_t used_ = 0;  // words at and above this are 0
};

}  // namespace unravel
