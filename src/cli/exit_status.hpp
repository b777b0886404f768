/// Exit statuses of commands.
#pragma once

#include "base/result.hpp"
#include "data/outcome.hpp"

namespace unravel {

inline constexpr int kNoFailure = 0;
inline constexpr int kFoundFailure = 1;
// Also for a divergence, an interruption, and if nothing was tested.
inline constexpr int kUserOrEnvironment = 2;
inline constexpr int kOurFault = 3;

/// The more important of two statuses: 3, then 1, then 2, then 0. A failure that was seen counts
/// even if something else went wrong.
int graver(int one, int other);

/// The status for an error.
int exit_status(const Error& error);

/// The status for a run, or for all runs of a command. Unresolved means that nothing was tested:
/// that is not success, unless `allow_untested`.
int exit_status(Outcome outcome, bool allow_untested);

}  // namespace unravel
