/// What makes a failure, in words that another build understands.
#pragma once

#include <functional>

#include "base/result.hpp"
#include "data/run.hpp"
#include "run/runner.hpp"

namespace unravel {

/// Repeats a verified failure with a trace and sets its constraints. They stay empty if the run is
/// too long for that, or does not come out the same: it can be checked without them.
Result<void> find_constraints_of(Run& run, const std::function<Result<Run>(RunRequest)>& run_once);

}  // namespace unravel
