/// Identifiers in a run: threads, clocks, sites.
#pragma once

#include <compare>
#include <cstdint>

namespace unravel::wire {

/// A thread of a run. Threads are numbered in the order of their creation; main is 0. A number is
/// never reused within a run. `process` is always 0: only one process is controlled.
struct ThreadId {
  std::uint32_t ordinal = 0;
  std::uint16_t process = 0;
  std::uint16_t reserved = 0;

  friend bool operator==(const ThreadId&, const ThreadId&) = default;
};
static_assert(sizeof(ThreadId) == 8);
/// Threads that one run may create in total. Readers allocate a few words for each thread and
/// reject higher ordinals. A run reaches its step limit long before. Chosen by hand.
inline constexpr std::uint32_t kMostThreadsInRun = 1u << 24;

/// A position in a thread: the number of its synchronisation operations, and of hooks since the
/// last of them. Printed as `12+37`. The point after operation n is `n+0`. Every hook after it adds
/// one to `hooks`, and so does the point before the next operation.
struct Clock {
  std::uint64_t operations = 0;
  std::uint64_t hooks = 0;

  friend auto operator<=>(const Clock&, const Clock&) = default;
};
static_assert(sizeof(Clock) == 16);

/// As `hooks` of a StopAt: right before the thread's next operation, after any number of hooks.
inline constexpr std::uint64_t kBeforeNext = ~std::uint64_t{0};

/// A code address that is the same in every run: the index of its module (upper 16 bits) and the
/// offset from where the module's first byte is mapped.
struct Site {
  std::uint64_t packed = 0;

  static constexpr unsigned kOffsetBits = 48;
  static constexpr std::uint64_t kOffsetMask = (std::uint64_t{1} << kOffsetBits) - 1;

  static constexpr Site of(std::uint32_t module, std::uint64_t offset) {
    return Site{(std::uint64_t{module} << kOffsetBits) | (offset & kOffsetMask)};
  }
  [[nodiscard]] constexpr std::uint32_t module() const {
    return static_cast<std::uint32_t>(packed >> kOffsetBits);
  }
  [[nodiscard]] constexpr std::uint64_t offset() const { return packed & kOffsetMask; }

  friend bool operator==(const Site&, const Site&) = default;
};
static_assert(sizeof(Site) == 8);

/// Module 0 means "unknown": code outside every loaded file.
inline constexpr std::uint32_t kNoModule = 0;

}  // namespace unravel::wire
