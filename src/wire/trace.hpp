/// The trace as the runtime records it: words of 64 bits. The thread that has the turn appends
/// them.
///
/// A record has a head and, depending on it, up to three more words:
///
///   head     site (48 bits, an address), operation (8), detail (8)
///   object   except for hooks without an object
///   size     if the detail says so, and in trace-only records
///   value    if the detail says so, and in synchronisation operations and trace-only records
///
/// One thread runs at a time, so records need no thread and no step. Where the turn passes to
/// another thread, there is a head with kTurn and that thread's clock. From there a reader counts:
/// a record is one hook, one operation, or a trace-only record, which does not count.
#pragma once

#include <cstdint>

#include "wire/operation.hpp"

namespace unravel::wire {

/// Memory orders of atomic operations and fences, with the numbers that compilers use.
enum class MemoryOrder : std::uint8_t {
  kRelaxed,
  kConsume,
  kAcquire,
  kRelease,
  kAcquireRelease,
  kSequential,
};
inline constexpr std::uint8_t kMemoryOrderCount = 6;

/// In place of an operation: the turn passes to the thread whose ordinal is in `site`. Two words
/// follow: the operations and hooks of its clock.
inline constexpr std::uint8_t kTurn = 255;

/// A record's first word.
struct TraceHead {
  static constexpr unsigned kOperationShift = 48;
  static constexpr unsigned kDetailShift = 56;
  static constexpr std::uint64_t kSiteMask = (std::uint64_t{1} << kOperationShift) - 1;

  // Detail of a hook: size, memory order, and which words follow.
  static constexpr std::uint8_t kSizeMask = 7;  // log2 of the bytes
  static constexpr std::uint8_t kSizeFollows = 7;
  static constexpr unsigned kOrderShift = 3;
  static constexpr std::uint8_t kOrderMask = 7;
  static constexpr std::uint8_t kValueFollows = 1 << 6;
  static constexpr std::uint8_t kFailed = 1 << 7;  // a compare-exchange that failed

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

/// Whether the record of a hook contains an object.
constexpr bool traces_object(Operation operation) {
  return is_access(operation) || has_effect(operation, Effect::kAllocate) ||
         has_effect(operation, Effect::kReuse);
}

}  // namespace unravel::wire
