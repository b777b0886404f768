/// What a switch separated: accesses of the thread that was left, and of other threads in between.
///
/// Most failures come from a thread that is left between two accesses to the same memory while
/// another thread makes a conflicting access (Lu et al., "AVIO: Detecting Atomicity Violations via
/// Access Interleaving Invariants", ASPLOS 2006). Or the thread is left before its first access, or
/// after its last. Where there is nothing else, locks count as accesses.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "data/schedule.hpp"
#include "data/trace.hpp"

namespace unravel {

struct SeparatedEvent {
  std::uint32_t thread = 0;
  wire::Operation operation = wire::Operation::kNone;
  wire::Site site;
  wire::Clock before;  // stop the thread here to see it right before the event

  friend bool operator==(const SeparatedEvent&, const SeparatedEvent&) = default;
};

/// At least one of `before` and `after` is set.
struct Separated {
  std::optional<SeparatedEvent> before;  // of the thread that was left
  SeparatedEvent between;                // of another thread
  std::optional<SeparatedEvent> after;   // of the first thread again

  friend bool operator==(const Separated&, const Separated&) = default;
};

inline constexpr std::size_t kMostSeparated = 3;

/// What the switch after slice `index` separated; nearest and clearest first. `slices` is the
/// schedule of the run; `trace` is its whole trace.
std::vector<Separated> separated_by(const Trace& trace, std::span<const wire::Slice> slices,
                                    std::size_t slice);

}  // namespace unravel
