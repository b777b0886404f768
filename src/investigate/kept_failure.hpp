/// Checks one stored failure on the current program.
#pragma once

#include <optional>

#include "data/checked.hpp"
#include "data/replayed.hpp"
#include "investigate/observer.hpp"
#include "investigate/stored_run.hpp"

namespace unravel {

/// An error only after an interruption. Any other error makes the verdict "not applicable".
Result<Checked> try_again(OpenedRun& opened, std::uint64_t neighbours, Observer& observer);

/// Tries only runs that follow the portable constraints of the failure.
Result<BroughtBack> try_constraints(OpenedRun& opened, const Judging& judge,
                                    EnvironmentOf environment, Observer& observer);

}  // namespace unravel
