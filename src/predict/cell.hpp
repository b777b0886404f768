/// A cell: one remembered access to a granule, which is eight bytes of the program's memory.
///
/// If two accesses differ only in thread and time, and the first is ordered before the second, the
/// first is not needed: a later access that is not ordered after the first is not ordered after the
/// second either. So a variable that threads access in turns has one cell for each site, however
/// many threads there are.
#pragma once

#include <cstdint>

#include "predict/access.hpp"
#include "predict/vector_clock.hpp"

namespace unravel {

inline constexpr std::uint64_t kGranule = 8;

/// Which thread accessed, where and how, in 60 bits.
class AccessId {
 public:
  static constexpr unsigned kBits = 60;
  static constexpr std::uint64_t kMask = (std::uint64_t{1} << kBits) - 1;
  static constexpr std::uint32_t kMostSites = std::uint32_t{1} << 30;

  constexpr AccessId(Slot slot, AccessKind kind, std::uint8_t bytes, std::uint32_t site)
      : word_(std::uint64_t{site} | std::uint64_t{bytes} << kBytesShift |
              std::uint64_t{static_cast<std::uint8_t>(kind)} << kKindShift |
              std::uint64_t{slot} << kSlotShift) {}
  explicit constexpr AccessId(std::uint64_t word) : word_(word & kMask) {}

  [[nodiscard]] constexpr std::uint32_t site() const {
    return static_cast<std::uint32_t>(word_) & (kMostSites - 1);
  }
  /// One bit for each byte of the granule.
  [[nodiscard]] constexpr std::uint8_t bytes() const {
    return static_cast<std::uint8_t>(word_ >> kBytesShift);
  }
  [[nodiscard]] constexpr AccessKind kind() const {
    return static_cast<AccessKind>(word_ >> kKindShift & 3);
  }
  [[nodiscard]] constexpr Slot slot() const { return static_cast<Slot>(word_ >> kSlotShift); }
  [[nodiscard]] constexpr std::uint64_t word() const { return word_; }
  /// Everything but the thread: site, kind and bytes.
  [[nodiscard]] constexpr std::uint64_t how() const { return word_ & kHowMask; }

  friend constexpr bool operator==(AccessId, AccessId) = default;

 private:
  static constexpr unsigned kBytesShift = 30;
  static constexpr unsigned kKindShift = 38;
  static constexpr unsigned kSlotShift = 40;
  static constexpr std::uint64_t kHowMask = (std::uint64_t{1} << kSlotShift) - 1;

  std::uint64_t word_;
};

/// 16 bytes: four of them share a cache line.
class Cell {
 public:
  /// The epoch of an unused cell; no access has it.
  static constexpr Epoch kUnused = 0;

  [[nodiscard]] bool used() const { return epoch_ != kUnused; }
  [[nodiscard]] AccessId id() const { return AccessId(word_); }
  [[nodiscard]] bool is(AccessId id) const { return ((word_ ^ id.word()) & AccessId::kMask) == 0; }
  [[nodiscard]] Epoch epoch() const { return epoch_; }

  /// Users may store this many bits with the access.
  static constexpr unsigned kNoteBits = 36;
  [[nodiscard]] std::uint64_t note() const { return (word_ >> AccessId::kBits) << 32 | note_; }

  void set(AccessId id, Epoch epoch, std::uint64_t note) {
    word_ = id.word() | (note >> 32) << AccessId::kBits;
    epoch_ = epoch;
    note_ = static_cast<std::uint32_t>(note);
  }

  /// Uses the cell for a pointer instead of an access.
  void set_pointer(std::uint64_t pointer) { word_ = pointer; }
  [[nodiscard]] std::uint64_t pointer() const { return word_; }

 private:
  std::uint64_t word_ = 0;
  Epoch epoch_ = kUnused;
  std::uint32_t note_ = 0;
};
static_assert(sizeof(Cell) == 16);

/// Which cells of a granule are found together: those of one access by all threads ...
struct PerAccess {
  static constexpr std::uint64_t key(AccessId id) { return id.how(); }
};
/// ... or by one thread.
struct PerThread {
  static constexpr std::uint64_t key(AccessId id) { return id.word(); }
};

}  // namespace unravel
