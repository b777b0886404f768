/// A failure counts once it has come back as often as this, step by step: for `run`, `hunt` and
/// `check`.
#pragma once

#include <functional>
#include <string>

#include "base/result.hpp"
#include "data/run.hpp"
#include "data/verification.hpp"
#include "run/runner.hpp"

namespace unravel {

using RunOnce = std::function<Result<Run>(RunRequest)>;

/// Replays a failing run strictly. If it comes back every time, the run gets the failure as the
/// replay named it, its table and its constraints; else it is marked as unverified.
Result<Verification> verify(Run& run, const RunOnce& run_once);

/// What took part in a run that is not controlled: "2 child processes", "a thread that …"; empty if
/// nothing is known to have.
std::string uncontrolled_in(const Run& run);

}  // namespace unravel
