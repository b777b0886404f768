/// What happened, as the runtime records it: words of 64 bits, appended by whoever has the turn.
///
/// A record is a head and, depending on it, up to three more words:
///
///   head     what: site (48 bits, an address), operation (8), detail (8)
///   object   unless it is a hook that has none
///   size     if the detail says so, or it is a note
///   value    if the detail says so, or it is a synchronisation operation or a note
///
/// Runs are serialised: nobody needs a step or a thread number, but where the turn goes to another
/// thread there is a head of kTurn, followed by that thread's clock. From there a reader counts: a
/// record is one hook, one operation, or a note that counts nothing.
#pragma once

#include <cstdint>

#include "wire/operation.hpp"

namespace unravel::wire {

/// Of atomic operations and fences; the numbers are the compilers' own.
enum class MemoryOrder : std::uint8_t {
  kRelaxed,
  kConsume,
  kAcquire,
  kRelease,
  kAcquireRelease,
  kSequential,
};
inline constexpr std::uint8_t kMemoryOrderCount = 6;

/// Beside the operations: `site` is the ordinal of the thread that has the turn from here on;
/// two words follow, the operations and the hooks of its clock.
inline constexpr std::uint8_t kTurn = 255;

/// A record's first word.
struct TraceHead {
  static constexpr unsigned kOperationShift = 48;
  static constexpr unsigned kDetailShift = 56;
  static constexpr std::uint64_t kSiteMask = (std::uint64_t{1} << kOperationShift) - 1;

  // Detail of a hook: how many bytes, in which order, and what else there is.
  static constexpr std::uint8_t kSizeMask = 7;  // 2 to this power
  static constexpr std::uint8_t kSizeFollows = 7;
  static constexpr unsigned kOrderShift = 3;
  static constexpr std::uint8_t kOrderMask = 7;
  static constexpr std::uint8_t kValueFollows = 1 << 6;
  static constexpr std::uint8_t kFailed = 1 << 7;  // an exchange that found another value

  // Detail of a synchronisation operation: an EventResult.

  std::uint64_t word = 0;

  static constexpr TraceHead of(std::uint64_t site, std::uint8_t operation, std::uint8_t detail) {
    return {(site & kSiteMask) | std::uint64_t{operation} << kOperationShift |
            std::uint64_t{detail} << kDetailShift};
  }
  [[nodiscard]] constexpr std::uint64_t site() const { return word & kSiteMask; }
  [[nodiscard]] constexpr std::uint8_t operation() const {
    return static_cast<std::uint8_t>(word >> kOperationShift);
  }
  [[nodiscard]] constexpr std::uint8_t detail() const {
    return static_cast<std::uint8_t>(word >> kDetailShift);
  }
};

/// The longest record, in words.
inline constexpr std::uint64_t kLongestTraceRecord = 4;

/// Whether a record of a hook names an object.
constexpr bool traces_object(Operation operation) {
  return is_access(operation) || has_effect(operation, Effect::kAllocate) ||
         has_effect(operation, Effect::kReuse);
}

}  // namespace unravel::wire
