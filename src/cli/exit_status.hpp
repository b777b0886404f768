/// What a command returns to its caller.
#pragma once

#include "base/result.hpp"
#include "data/outcome.hpp"

namespace unravel {

inline constexpr int kNoFailure = 0;
inline constexpr int kFoundFailure = 1;
// Also divergence, interruption, and that nothing was tested.
inline constexpr int kUserOrEnvironment = 2;
inline constexpr int kOurFault = 3;

/// Which of two counts where both apply: 3, then 1, then 2, then 0. A failure that was seen is one
/// whatever else could not be done.
int graver(int one, int other);

/// Of an error.
int exit_status(const Error& error);

/// Of a run, or of all runs of a command. What is unresolved was not tested, and somebody who
/// relies on the status must hear of it, unless `allow_untested`.
int exit_status(Outcome outcome, bool allow_untested);

}  // namespace unravel
