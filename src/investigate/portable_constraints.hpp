/// The portable constraints of a failure: the orders that cause it, by function and line.
#pragma once

#include <functional>

#include "base/result.hpp"
#include "data/run.hpp"
#include "run/runner.hpp"

namespace unravel {

/// Repeats a verified failure with a trace and sets its constraints. They stay empty if the run is
/// too long or differs: `check` works without them, too.
Result<void> find_constraints_of(Run& run, const std::function<Result<Run>(RunRequest)>& run_once);

}  // namespace unravel
