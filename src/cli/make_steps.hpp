/// The steps of a kept run that has none yet: for `show` and `diff`.
#pragma once

#include "cli/console.hpp"
#include "cli/interruption.hpp"
#include "cli/stored_run.hpp"

namespace unravel {

/// Runs the program once more to see its steps, and keeps them for next time.
Result<void> make_steps(OpenedRun& opened, const Console& console, Interruption& interruption);

}  // namespace unravel
