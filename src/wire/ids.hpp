/// Names of things in a run: threads, clocks, sites.
#pragma once

#include <compare>
#include <cstdint>

namespace unravel::wire {

/// A thread of a run: threads are numbered in the order of their creation, main is 0.
/// Numbers are never used twice in a run. `process` is 0 until several processes are controlled.
struct ThreadId {
  std::uint32_t ordinal = 0;
  std::uint16_t process = 0;
  std::uint16_t reserved = 0;

  friend bool operator==(const ThreadId&, const ThreadId&) = default;
};
static_assert(sizeof(ThreadId) == 8);
/// Created one after the other. Readers keep a few words for each, and refuse higher numbers; no
/// run within its limit of steps comes near.
inline constexpr std::uint32_t kMostThreadsInRun = 1u << 24;

/// A thread's address in a run: its synchronisation operations so far, hooks since. Printed
/// as `12+37`. The point after operation n is `n+0`; the point before the next operation, and
/// every hook before it, adds one to `hooks`.
struct Clock {
  std::uint64_t operations = 0;
  std::uint64_t hooks = 0;

  friend auto operator<=>(const Clock&, const Clock&) = default;
};
static_assert(sizeof(Clock) == 16);

/// As `hooks` of a place at which to hold a thread: right before its next operation, however many
/// hooks it makes on the way.
inline constexpr std::uint64_t kBeforeNext = ~std::uint64_t{0};

/// A code address that means the same in every run: an entry of the module table (upper 16
/// bits) and an offset from the place where that module's first byte is mapped.
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

/// Module 0 is "not known": code outside every loaded file.
inline constexpr std::uint32_t kNoModule = 0;

}  // namespace unravel::wire
