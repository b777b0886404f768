/// One kept failure, tried on the program as it is now.
#pragma once

#include <optional>

#include "cli/console.hpp"
#include "cli/interruption.hpp"
#include "cli/stored_run.hpp"
#include "data/checked.hpp"

namespace unravel {

/// An error only if it was interrupted: other trouble is the reason why it is not applicable.
Result<Checked> try_again(OpenedRun& opened, std::uint64_t neighbours, const Console& console,
                          Interruption& interruption);

/// A kept failure on another build than its own.
struct BroughtBack {
  std::optional<Run> run;       // that failed in the same way; nothing: none did
  std::uint64_t tries = 0;      // runs besides the one that followed the schedule
  std::size_t constraints = 0;  // of the failure, whose places were found in this build
};

/// Tries what made the run fail, as portable constraints, and nothing else.
Result<BroughtBack> try_constraints(OpenedRun& opened, const JudgeOptions& judge,
                                    EnvironmentOf environment, const Console& console,
                                    Interruption& interruption);

}  // namespace unravel
