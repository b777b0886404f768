/// A few ranges of code addresses, and whether an address lies in one of them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace unravel::os {

class CodeRanges {
 public:
  struct Range {
    std::uint64_t begin;
    std::uint64_t end;  // the address behind the last byte
  };
  /// The number of modules that a schedule can name.
  static constexpr std::size_t kMost = 1024;

  /// Records newly mapped code; older ranges at these addresses are dropped. Returns false if there
  /// are too many ranges: this one is left out then.
  bool add(Range added) {
    if (added.begin >= added.end) return true;
    remove_if(
        [&](const Range& range) { return range.begin < added.end && added.begin < range.end; });
    if (count_ == kMost) return false;
    std::size_t at = count_++;
    for (; at > 0 && ranges_[at - 1].begin > added.begin; --at) ranges_[at] = ranges_[at - 1];
    ranges_[at] = added;
    return true;
  }

  template <class Gone>
  void remove_if(Gone gone) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < count_; ++i) {
      if (!gone(ranges_[i])) ranges_[kept++] = ranges_[i];
    }
    count_ = kept;
  }

  [[nodiscard]] bool meets(Range other) const {
    for (std::size_t i = 0; i < count_; ++i) {
      if (ranges_[i].begin < other.end && other.begin < ranges_[i].end) return true;
    }
    return false;
  }

  [[nodiscard]] bool empty() const { return count_ == 0; }
  [[nodiscard]] std::size_t count() const { return count_; }

  [[nodiscard]] bool covers(std::uint64_t address) const {
    // The last range that begins at or before the address.
    std::size_t low = 0;
    for (std::size_t high = count_; low < high;) {
      const std::size_t middle = (low + high) / 2;
      if (ranges_[middle].begin <= address) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low > 0 && address < ranges_[low - 1].end;
  }

 private:
  std::size_t count_ = 0;
  Range ranges_[kMost] = {};  // by address; they do not overlap
};

}  // namespace unravel::os
