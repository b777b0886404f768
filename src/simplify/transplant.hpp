/// Inserts a preemption of the failing run into the run that has none.
///
/// In a random run, threads do their work in pieces, and other threads do it than in a plain run.
/// Often the last preemption alone causes the failure, at a place that some thread also reaches in
/// the plain run. That thread, or another one that reaches the place, is preempted there.
#pragma once

#include "simplify/attempts.hpp"

namespace unravel {

/// Makes at least `least_tries` tries, and more if many switches may be removed. Returns whether
/// the run got better.
bool transplant_preemption(Attempts& attempts, std::size_t least_tries);

}  // namespace unravel
