/// The steps of a kept run that has none yet: for `show` and `diff`.
#pragma once

#include "investigate/observer.hpp"
#include "investigate/stored_run.hpp"

namespace unravel {

/// Runs the program once more to see its steps, and keeps them for next time.
Result<void> make_steps(OpenedRun& opened, Observer& observer);

}  // namespace unravel
