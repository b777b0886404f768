/// Hooks that instrumented code makes, between one look and the next.
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

  std::int64_t left = kFar;  // below 0: the one just made is to be looked at
  std::int64_t from = kFar;  // what `left` was when it was last read off

  void set(std::uint64_t hooks) { left = from = static_cast<std::int64_t>(hooks); }
  /// How many were made since it was last asked.
  std::uint64_t take() {
    const auto made = static_cast<std::uint64_t>(from - left);
    from = left;
    return made;
  }
};

/// Function entries and loop back-edges are counted twice: they are the points of a set of their
/// own, while clocks count every hook.
struct Countdowns {
  Countdown hooks;
  Countdown calls;

  void set_far() {
    hooks.set(Countdown::kFar);
    calls.set(Countdown::kFar);
  }
};

/// How many of each may pass.
struct Distance {
  std::uint64_t hooks = Countdown::kFar;
  std::uint64_t calls = Countdown::kFar;
};

}  // namespace unravel
