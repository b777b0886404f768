/// Where races happened: the run that had them is repeated, and looked at there.
#pragma once

#include <span>
#include <vector>

#include "data/race.hpp"
#include "data/run.hpp"
#include "predict/races.hpp"
#include "run/runner.hpp"

namespace unravel {

/// One for each of `races`, which a detector found in the trace of `run`; `sites` are the trace's.
Result<std::vector<FoundRace>> place_races(Runner& runner, const Run& run,
                                           std::span<const wire::Site> sites,
                                           std::span<const Race> races);

/// Refuses a program whose memory accesses nobody sees.
Result<void> check_hooks(const Program& program);

}  // namespace unravel
