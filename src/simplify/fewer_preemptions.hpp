/// Edits beyond the passes of the paper: other orders of slices, with fewer preemptions and no more
/// switches.
#pragma once

#include "simplify/passes.hpp"

namespace unravel {

/// Moves each slice as late as possible, from the first to the last.
void postpone(Attempts& attempts, const Sweep& sweep = {});

/// Moves each preemption as late as possible, by bisection, from the first to the last. The cost
/// stays the same, and the result shows better what the thread was doing.
void lengthen_preempted(Attempts& attempts, const Sweep& sweep = {});

}  // namespace unravel
