#include "simplify/passes.hpp"

#include <algorithm>

namespace unravel {

namespace {

/// From the last slice to the first, applies the edit of `edit_at` if the run gets better. The
/// cause of a failure is near the end, so only the last slices of a long run are tried.
template <class EditAt>
void sweep_back(Attempts& attempts, const Sweep& sweep, const EditAt& edit_at) {
  std::size_t end = attempts.slices().size();
  while (!attempts.over()) {
    std::vector<Edit> edits;
    std::vector<std::size_t> at;
    for (std::size_t i = end; i-- > sweep.first && edits.size() < sweep.patience;) {
      std::optional<Edit> edit = edit_at(i);
      if (!edit) continue;
      edits.push_back(std::move(*edit));
      at.push_back(i);
    }
    const auto better = attempts.first_better(edits);
    if (!better) return;
    end = std::min(at[*better], attempts.slices().size());
  }
}

/// The paper's approximation of the longest part of the next slice that can be joined: what the
/// thread did, in the run that tried all of it, before it could not continue.
void prolong_as_it_went(Attempts& attempts, std::size_t index) {
  const Slices& slices = attempts.slices();
  const wire::Slice& slice = slices[index];
  const auto next = next_of_thread(slices, index);
  if (!next) return;
  for (const wire::Slice& went : attempts.missed().schedule.slices) {
    if (went.thread != slice.thread || went.until <= slice.until) continue;
    if (went.until >= slices[*next].until) return;
    attempts.is_better({.kind = Edit::Kind::kConsolidateUp,
                        .slices = prolong(slices, index, went.until),
                        .also_if_equal = true});
    return;
  }
}

/// A preempted thread that never ran again runs until it cannot continue.
void go_on_if_left(Attempts& attempts, std::size_t index) {
  const Slices& slices = attempts.slices();
  if (index + 1 == slices.size() || !is_preempted(slices[index])) return;
  attempts.is_better(
      {.kind = Edit::Kind::kConsolidateUp, .slices = prolong(slices, index, kForEver)});
}

/// Joins a slice with the thread's next slice, or a part of it. Returns whether all of it was
/// joined.
bool join_as_far_as_possible(Attempts& attempts, std::size_t index, const Sweep& sweep) {
  if (index >= attempts.slices().size()) return false;
  const auto joined = joined_with_next(attempts.slices(), index);
  if (!joined) {
    go_on_if_left(attempts, index);
    return false;
  }
  if (attempts.is_better(
          {.kind = Edit::Kind::kConsolidateUp, .slices = *joined, .rejoins = sweep.rejoins})) {
    return true;
  }
  prolong_as_it_went(attempts, index);
  return false;
}

}  // namespace

void remove_last_slices(Attempts& attempts, const Sweep& sweep) {
  sweep_back(attempts, sweep, [&](std::size_t i) -> std::optional<Edit> {
    if (next_of_thread(attempts.slices(), i)) return std::nullopt;
    return Edit{.kind = Edit::Kind::kRemoveLast,
                .slices = without(attempts.slices(), i),
                .rejoins = sweep.rejoins};
  });
}

void consolidate_up(Attempts& attempts, const Sweep& sweep) {
  std::size_t in_vain = 0;
  for (std::size_t i = sweep.first; i < attempts.slices().size() && !attempts.over(); ++i) {
    const wire::End end = attempts.slices()[i].end;
    if (end == wire::End::kBlocked || end == wire::End::kEnded) continue;
    while (join_as_far_as_possible(attempts, i, sweep)) in_vain = 0;
    if (++in_vain == sweep.patience) return;
  }
}

void consolidate_down(Attempts& attempts, const Sweep& sweep) {
  sweep_back(attempts, sweep, [&](std::size_t i) -> std::optional<Edit> {
    const auto previous = previous_of_thread(attempts.slices(), i);
    if (!previous || *previous < sweep.first) return std::nullopt;
    return Edit{.kind = Edit::Kind::kConsolidateDown,
                .slices = without(attempts.slices(), *previous),
                .rejoins = sweep.rejoins};
  });
}

}  // namespace unravel
