/// Changes to a list of slices that may make it simpler. Pure functions: only a run can show
/// whether the result still fails.
///
/// Jalbert and Sen, "A Trace Simplification Technique for Effective Debugging of Concurrent
/// Programs", FSE 2010, move and remove parts of a trace. Here a slice only says up to which clock
/// its thread runs, so moving becomes removing. If an earlier slice of a thread is removed, the
/// thread's next slice does the work of both (down). If the end of a slice is set to that of the
/// next one, the earlier slice does (up).
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "data/schedule.hpp"

namespace unravel {

using Slices = std::vector<wire::Slice>;

/// A clock that no thread reaches: the thread runs until it is blocked or ends.
inline constexpr wire::Clock kForEver{.operations = ~std::uint64_t{0}, .hooks = 0};

/// Whether the switch after a slice is a preemption.
inline bool is_preempted(const wire::Slice& slice) {
  return !wire::forced(slice.end, slice.pending);
}

/// The next slice of the same thread; nothing if it has none.
std::optional<std::size_t> next_of_thread(const Slices& slices, std::size_t index);
std::optional<std::size_t> previous_of_thread(const Slices& slices, std::size_t index);

/// The slices without those that `dropped` marks. Neighbouring slices of one thread are merged.
Slices without(const Slices& slices, const std::vector<bool>& dropped);
Slices without(const Slices& slices, std::size_t index);

/// The slice runs up to the end of the thread's next slice; nothing if there is none.
std::optional<Slices> joined_with_next(const Slices& slices, std::size_t index);

/// The slice runs up to `until`; later slices of the thread stay.
Slices prolong(const Slices& slices, std::size_t index, wire::Clock until);

/// Moves the slice at `index` right before the one at `later`.
Slices moved_before(const Slices& slices, std::size_t index, std::size_t later);

/// Keeps only the preemptions that `kept` marks. Any other preempted thread runs on to its next
/// switch that is forced or kept.
Slices keep_preemptions(const Slices& slices, const std::vector<bool>& kept);

}  // namespace unravel
