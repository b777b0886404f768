/// Counts the hooks that instrumented code makes between two that are inspected.
///
/// A hook is a decrement and a branch. Only the thread that has the turn makes any, so one word
/// serves all threads: the scheduler sets how many hooks may pass, and later reads off how many
/// did.
#pragma once

#include <cstdint>

namespace unravel {

struct Countdown {
  /// More hooks than a run makes.
  static constexpr std::int64_t kFar = std::int64_t{1} << 62;

  /// A shift by this much makes any countdown negative.
  static constexpr std::int64_t kEvery = kFar + 1;

  std::int64_t left = kFar;  // below 0: the hook just made is inspected
  std::int64_t from = kFar;  // the value of `left` when it was last read off
  std::int64_t shift = 0;    // kEvery: all hooks are inspected, though not all are due

  void set(std::uint64_t hooks) { left = from = static_cast<std::int64_t>(hooks) - shift; }
  /// Inspects every hook, or only those that are due.
  void inspect_every(bool every) {
    const std::int64_t next = every ? kEvery : 0;
    left += shift - next;
    from += shift - next;
    shift = next;
  }
  /// Whether the hook just made is the one that the scheduler waits for.
  [[nodiscard]] bool is_due() const { return left + shift < 0; }
  /// The number of hooks since the last call.
  std::uint64_t take() {
    const auto made = static_cast<std::uint64_t>(from - left);
    from = left;
    return made;
  }
};

/// Clocks count every hook. The smaller point sets have countdowns of their own: function entries
/// and loop back-edges, and marked sites.
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

/// How many hooks of each kind may pass.
struct Distance {
  std::uint64_t hooks = Countdown::kFar;
  std::uint64_t calls = Countdown::kFar;
  std::uint64_t marked = Countdown::kFar;
};

}  // namespace unravel
