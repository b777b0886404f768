/// Does a run come out the same when its own schedule is followed?
#pragma once

#include <string>

#include "base/result.hpp"
#include "data/run.hpp"
#include "run/runner.hpp"

namespace unravel {

/// How `now` differs from `before` in what a replay promises to repeat; empty if it does not.
std::string difference(const Run& before, const Run& now);

/// To follow a run's schedule strictly and take down every operation of its clip.
RunRequest request_for_table(const Run& run);

/// Follows a run's schedule strictly and takes down every operation of its clip.
Result<Run> replay_for_table(Runner& runner, const Run& run);

}  // namespace unravel
