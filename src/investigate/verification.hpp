/// Verifies failures: a failure counts only if several strict replays reproduce it. For `run`,
/// `hunt` and `check`.
#pragma once

#include <functional>
#include <string>

#include "base/result.hpp"
#include "data/run.hpp"
#include "data/verification.hpp"
#include "run/runner.hpp"

namespace unravel {

using RunOnce = std::function<Result<Run>(RunRequest)>;

/// Replays a failing run strictly. If all replays reproduce it, the run gets its failure with
/// names, its table and its constraints. Otherwise it is marked as unverified.
Result<Verification> verify(Run& run, const RunOnce& run_once);

/// What took part in a run without control: "2 child processes", "a thread that …"; empty if
/// nothing is known.
std::string uncontrolled_in(const Run& run);

}  // namespace unravel
