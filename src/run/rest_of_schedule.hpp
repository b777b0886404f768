/// What a run that ended left undone of the schedule that it was to follow strictly.
#pragma once

#include <string>

#include "data/schedule.hpp"

namespace unravel {

/// In a sentence; empty if nothing is left, or if the schedule is not a whole run's. The runtime
/// compares at every point, but has none after the program's end, nor before its first thread.
/// `threads` is how many the run had.
std::string rest_of_schedule(const Schedule& given, const Schedule& realised,
                             std::uint32_t threads);

}  // namespace unravel
