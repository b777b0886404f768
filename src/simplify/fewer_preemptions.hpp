/// What the passes of the paper cannot do: other orders, with fewer preemptions and no more
/// switches.
#pragma once

#include "simplify/passes.hpp"

namespace unravel {

/// From the beginning: what a thread did in one go is done later, as late as possible.
void postpone(Attempts& attempts, const Sweep& sweep = {});

/// From the beginning: a thread that was preempted is left as late as possible before it went on,
/// by bisection. Costs nothing, and shows better what it was in the middle of.
void lengthen_preempted(Attempts& attempts, const Sweep& sweep = {});

}  // namespace unravel
