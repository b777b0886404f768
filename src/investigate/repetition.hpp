/// Compares a run with its replay.
#pragma once

#include <string>

#include "base/result.hpp"
#include "data/run.hpp"
#include "run/runner.hpp"

namespace unravel {

/// Its outcome: "failed (assert)", "unresolved (…)".
std::string described(const Run& run);

/// How the replay `now` differs from `before`; empty if it does not.
std::string difference(const Run& before, const Run& now);

/// A request to follow a run's schedule strictly and record the steps of its table.
RunRequest request_for_table(const Run& run);

/// Makes that run.
Result<Run> replay_for_table(Runner& runner, const Run& run);

}  // namespace unravel
