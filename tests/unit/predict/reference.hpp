/// Races by definition, to compare a fast detector with: every rule is a question about two events
/// of the trace, answered by reading the trace again from one end. Quadratic and worse.
#pragma once

#include "unit/predict/trace_builder.hpp"

namespace unravel {

RacingSites races_by_definition(const std::vector<TraceEvent>& trace);

}  // namespace unravel
