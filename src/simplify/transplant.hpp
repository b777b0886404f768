/// A preemption of the failing run put into the run that has none.
///
/// A random run does its work in pieces, by other threads than a plain one; what leads to the
/// failure is often the last preemption alone, at a place that some thread comes to in the plain
/// run as well. There its thread, or another one that comes to the same place, is left instead.
#pragma once

#include "simplify/attempts.hpp"

namespace unravel {

/// With at least so many tries, and more where many switches may go. Whether that is better.
bool transplant_preemption(Attempts& attempts, std::size_t least_tries);

}  // namespace unravel
