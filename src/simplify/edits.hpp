/// Changes to a list of slices that may make it simpler. Pure: whether the run still fails, only a
/// run can tell.
///
/// Jalbert and Sen, "A Trace Simplification Technique for Effective Debugging of Concurrent
/// Programs", FSE 2010, move and remove stretches of a trace. Here a slice says up to where its
/// thread runs, so that moving is removing: without an earlier slice of a thread its next one does
/// the work of both (down); with its end put off to that of the next one, it does (up).
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "data/schedule.hpp"

namespace unravel {

using Slices = std::vector<wire::Slice>;

/// No thread comes as far: it runs until it cannot go on.
inline constexpr wire::Clock kForEver{.operations = ~std::uint64_t{0}, .hooks = 0};

/// Whether the switch after a slice is one that the program did not ask for.
inline bool is_preempted(const wire::Slice& slice) {
  return !wire::forced(slice.end, slice.pending);
}

/// The next slice of the same thread; nothing if it has none.
std::optional<std::size_t> next_of_thread(const Slices& slices, std::size_t index);
std::optional<std::size_t> previous_of_thread(const Slices& slices, std::size_t index);

/// Without those that `dropped` marks. Slices of one thread that come to lie side by side are one.
Slices without(const Slices& slices, const std::vector<bool>& dropped);
Slices without(const Slices& slices, std::size_t index);

/// The thread of a slice goes on up to the end of its next slice; nothing if it has none.
std::optional<Slices> joined_with_next(const Slices& slices, std::size_t index);

/// The thread of a slice goes on up to `until`; its later slices stay.
Slices prolong(const Slices& slices, std::size_t index, wire::Clock until);

/// The slice at `index` comes right before the one at `later`.
Slices moved_before(const Slices& slices, std::size_t index, std::size_t later);

/// Only the preempted slices that `kept` marks are: other threads that were preempted go on up to
/// where they next were not, or are kept.
Slices keep_preemptions(const Slices& slices, const std::vector<bool>& kept);

}  // namespace unravel
