/// From a failure that was found to what a person wants to know: the simplest run that shows it,
/// and the switch that decides.
#pragma once

#include "cli/isolating.hpp"
#include "cli/simplifying.hpp"
#include "data/settings.hpp"
#include "store/store.hpp"

namespace unravel {

struct Explained {
  OrderCheck order;
  // Only if it depends on the order of threads, and there was time for it:
  std::optional<Simplification> simplified;
  Run run;                                       // the simplest, as it is kept
  std::optional<SmallestDifference> difference;  // nothing: no run near it that passes was found
  std::uint64_t neighbours = 0;                  // that were tried, then
  std::uint64_t runs = 0;                        // that all of it took
  std::uint64_t most_runs = 0;                   // that it might have taken
  bool stopped = false;                          // by an interruption, or the end of a limit
};

struct Explaining {
  Pool& pool;
  Store& store;
  const RunSettings& settings;
  const std::string& input;
  Interruption& interruption;
  // Until then, if the user said so; the minimum is to check whether order matters.
  std::optional<std::chrono::steady_clock::time_point> deadline;
  bool depends_on_order = false;  // it is known: other runs have passed
};

/// `failing` is kept, and was replayed. An interruption ends it: what it knows by then is told.
Result<Explained> explain(const Explaining& with, const Run& failing);

}  // namespace unravel
