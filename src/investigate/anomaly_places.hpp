/// Finds the stacks and variables of an anomaly by repeating the run that shows it.
#pragma once

#include <cstddef>
#include <span>

#include "data/anomaly.hpp"
#include "data/run.hpp"
#include "run/pool.hpp"

namespace unravel {

/// Fills in the stacks and variables of the sides and of the clip, and the variables of the
/// anomaly. Sides and clip tell thread, clock and operation of each event in `run`. `numbers` has a
/// number for the variable of each side: 0 for that of the first one, and the next number for each
/// new variable.
Result<void> place_sides(Pool& pool, const Run& run, std::span<const std::size_t> numbers,
                         FoundAnomaly& anomaly);

}  // namespace unravel
