/// Finds the places of races by repeating their run.
#pragma once

#include <span>
#include <vector>

#include "data/race.hpp"
#include "data/run.hpp"
#include "predict/races.hpp"
#include "run/runner.hpp"

namespace unravel {

/// Returns one entry for each of `races`, which were found in the trace of `run`. `sites` belong to
/// the trace.
Result<std::vector<FoundRace>> place_races(Runner& runner, const Run& run,
                                           std::span<const wire::Site> sites,
                                           std::span<const Race> races);

/// An error if the program has no hooks at memory accesses.
Result<void> check_hooks(const Program& program);

}  // namespace unravel
