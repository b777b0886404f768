/// Makes the steps of a stored run: for `show` and `diff`.
#pragma once

#include "investigate/observer.hpp"
#include "investigate/stored_run.hpp"

namespace unravel {

/// Runs the program again to get its steps, and stores them.
Result<void> make_steps(OpenedRun& opened, Observer& observer);

}  // namespace unravel
