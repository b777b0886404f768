/// The part of a strictly followed schedule that a run did not reach before it ended.
#pragma once

#include <string>

#include "data/schedule.hpp"

namespace unravel {

/// In a sentence; empty if nothing is left, or if the schedule is not a whole run. The runtime
/// compares at every point, but there is none after the program's end or before its first thread.
/// `threads`: how many the run had.
std::string rest_of_schedule(const Schedule& given, const Schedule& realised,
                             std::uint32_t threads);

}  // namespace unravel
