/// A load on one CPU, to show what depends on the speed of a run.
#pragma once

#include "run/child.hpp"

namespace unravel {

/// A process that only keeps `cpu` busy until it is ended. Returns an empty Child if it could not
/// be started: a missing load is not an error.
Child start_busy_process(int cpu);

}  // namespace unravel
