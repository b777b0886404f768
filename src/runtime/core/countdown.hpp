/// Hooks that instrumented code makes, between two that are inspected.
///
/// A hook is a decrement and a branch. Only the thread that has the turn makes any, so that one
/// word serves all: the scheduler sets how many may pass until something could happen, and reads
/// off how many have.
#pragma once

#include <cstdint>

namespace unravel {

struct Countdown {
  /// More hooks than a run makes.
  static constexpr std::int64_t kFar = std::int64_t{1} << 62;

  /// Less than that is below 0, whatever is left.
  static constexpr std::int64_t kEvery = kFar + 1;

  std::int64_t left = kFar;  // below 0: the one just made is to be inspected
  std::int64_t from = kFar;  // what `left` was when it was last read off
  std::int64_t shift = 0;    // kEvery: all are inspected, though not all are due

  void set(std::uint64_t hooks) { left = from = static_cast<std::int64_t>(hooks) - shift; }
  /// Has every hook inspected, or only those that are due.
  void inspect_every(bool every) {
    const std::int64_t next = every ? kEvery : 0;
    left += shift - next;
    from += shift - next;
    shift = next;
  }
  /// Whether the one just made is the one that was waited for.
  [[nodiscard]] bool is_due() const { return left + shift < 0; }
  /// How many were made since it was last asked.
  std::uint64_t take() {
    const auto made = static_cast<std::uint64_t>(from - left);
    from = left;
    return made;
  }
};

/// Clocks count every hook. Sets of points that are smaller than all hooks have a countdown of
/// their own: function entries and loop back-edges, and sites that are marked.
struct Countdowns {
  Countdown hooks;
  Countdown calls;
  Countdown marked;
  std::uint8_t thread_tag = 0;  // of the thread that has the turn: see Marks

  void set_far() {
    hooks.set(Countdown::kFar);
    calls.set(Countdown::kFar);
    marked.set(Countdown::kFar);
  }
};

/// How many of each may pass.
struct Distance {
  std::uint64_t hooks = Countdown::kFar;
  std::uint64_t calls = Countdown::kFar;
  std::uint64_t marked = Countdown::kFar;
};

}  // namespace unravel
