/// From a failure that was found to what a person wants to know: the simplest run that shows it,
/// and the switch that decides.
#pragma once

#include "cli/isolating.hpp"
#include "cli/simplifying.hpp"
#include "data/settings.hpp"
#include "store/store.hpp"

namespace unravel {

struct Explained {
  Run run;  // the simplest, as it is kept
  Simplification simplified;
  std::optional<SmallestDifference> difference;  // nothing: no run near it passes
  std::uint64_t neighbours = 0;                  // that were tried, then
};

struct Explaining {
  Pool& pool;
  Store& store;
  const RunSettings& settings;
  const std::string& input;
  Interruption& interruption;
};

/// `failing` is kept, and was replayed.
Result<Explained> explain(const Explaining& with, const Run& failing);

}  // namespace unravel
