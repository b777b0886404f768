#include "simplify/fewer_preemptions.hpp"

#include <set>

namespace unravel {

namespace {

/// The points of a thread between two of its clocks, in order.
std::vector<wire::Clock> points_between(const std::vector<Act>& acts, const wire::Slice& from,
                                        const wire::Slice& to) {
  std::set<wire::Clock> found;
  const auto add = [&](wire::Clock clock) {
    if (clock > from.until && clock < to.until) found.insert(clock);
  };
  for (const Act& act : acts) {
    if (act.thread != from.thread) continue;
    add(act.before);
    if (act.after) add(*act.after);
  }
  return {found.begin(), found.end()};
}

}  // namespace

void postpone(Attempts& attempts, const Sweep& sweep) {
  std::size_t in_vain = 0;
  for (std::size_t i = sweep.first; i + 2 < attempts.slices().size() && !attempts.over(); ++i) {
    const Slices& slices = attempts.slices();
    if (is_preempted(slices[i]) || previous_of_thread(slices, i) || next_of_thread(slices, i)) {
      continue;
    }
    std::vector<Edit> edits;
    for (std::size_t later = slices.size(); --later > i + 1 && edits.size() < sweep.patience;) {
      edits.push_back(
          {.kind = Edit::Kind::kConsolidateDown, .slices = moved_before(slices, i, later)});
    }
    in_vain = attempts.first_better(edits) ? 0 : in_vain + 1;
    if (in_vain == sweep.patience) return;
  }
}

void lengthen_preempted(Attempts& attempts, const Sweep& sweep) {
  std::optional<Observed> observed;
  for (std::size_t i = sweep.first; i < attempts.slices().size() && !attempts.over(); ++i) {
    const auto next = next_of_thread(attempts.slices(), i);
    if (!next || !is_preempted(attempts.slices()[i])) continue;
    if (!observed) observed = attempts.observe_best();
    if (!observed) return;
    const wire::ThreadId thread = attempts.slices()[i].thread;
    std::vector<wire::Clock> points =
        points_between(observed->acts, attempts.slices()[i], attempts.slices()[*next]);
    while (!points.empty() && i < attempts.slices().size() &&
           attempts.slices()[i].thread == thread && !attempts.over()) {
      const auto middle = points.begin() + static_cast<std::ptrdiff_t>(points.size() / 2);
      const bool fails = attempts.is_better({.kind = Edit::Kind::kConsolidateUp,
                                             .slices = prolong(attempts.slices(), i, *middle),
                                             .also_if_equal = true});
      fails ? points.erase(points.begin(), middle + 1) : points.erase(middle, points.end());
    }
  }
}

}  // namespace unravel
