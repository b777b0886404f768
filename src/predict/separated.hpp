/// What a switch separated: accesses of the thread that was left and of others while it was away.
///
/// A thread that is left between two accesses to the same memory, with another one in between that
/// conflicts, is what most failures come from (Lu et al., "AVIO: Detecting Atomicity Violations via
/// Access Interleaving Invariants", ASPLOS 2006); or it is left before its first one, or after its
/// last. Locks are taken for accesses where there is nothing else.
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
  wire::Clock before;  // where to hold the thread to see it about to make it

  friend bool operator==(const SeparatedEvent&, const SeparatedEvent&) = default;
};

/// One of `before` and `after` is there at least.
struct Separated {
  std::optional<SeparatedEvent> before;  // of the thread that was left
  SeparatedEvent between;                // of another one
  std::optional<SeparatedEvent> after;   // of the thread again

  friend bool operator==(const Separated&, const Separated&) = default;
};

inline constexpr std::size_t kMostSeparated = 3;

/// By the end of the slice of this index; the nearest and the most telling first. `slices` is the
/// schedule of the run whose whole trace it is.
std::vector<Separated> separated_by(const Trace& trace, std::span<const wire::Slice> slices,
                                    std::size_t slice);

}  // namespace unravel
