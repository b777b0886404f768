/// One kept failure, tried on the program as it is now.
#pragma once

#include <optional>

#include "data/checked.hpp"
#include "data/replayed.hpp"
#include "investigate/observer.hpp"
#include "investigate/stored_run.hpp"

namespace unravel {

/// An error only if it was interrupted: other trouble is the reason why it is not applicable.
Result<Checked> try_again(OpenedRun& opened, std::uint64_t neighbours, Observer& observer);

/// Tries what made the run fail, as portable constraints, and nothing else.
Result<BroughtBack> try_constraints(OpenedRun& opened, const Judging& judge,
                                    EnvironmentOf environment, Observer& observer);

}  // namespace unravel
