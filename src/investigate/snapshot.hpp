/// Finds where every thread of a stored run was at some of its moments: for `query`.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "data/named_stop.hpp"
#include "data/run.hpp"
#include "investigate/observer.hpp"
#include "investigate/run_name.hpp"

namespace unravel {

/// Refuses a moment that the run cannot have, as far as its schedule tells.
Result<void> check_moment(const Run& run, const NamedStop& moment);

/// Repeats the run once and stops it at each of these moments. Returns a snapshot for each, in the
/// same order. To find moments that are given as counts, the run is repeated a few more times
/// before.
Result<std::vector<Snapshot>> take_snapshots(const RunName& run, const std::string& store,
                                             std::span<const NamedStop> moments,
                                             Observer& observer);

}  // namespace unravel
