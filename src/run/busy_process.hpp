/// A load on one CPU: what depends on how fast a run goes shows beside it.
#pragma once

#include "run/child.hpp"

namespace unravel {

/// A process that does nothing but keep `cpu` busy, until it is ended. An empty Child where it
/// could not be started: a load is never worth an error.
Child start_busy_process(int cpu);

}  // namespace unravel
