/// Traces of programs that could have run: threads are simulated, so that a lock is taken only when
/// it is free, a woken thread waited, freed memory was allocated.
#pragma once

#include <cstdint>
#include <vector>

#include "unit/predict/trace_builder.hpp"

namespace unravel {

/// Each number decides a bit of what happens; any numbers will do, fewer make a shorter trace.
std::vector<TraceEvent> any_trace(const std::vector<std::uint16_t>& numbers);

}  // namespace unravel
