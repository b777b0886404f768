/// Data races as text.
#pragma once

#include <string>

#include "data/race.hpp"
#include "report/text.hpp"

namespace unravel {

/// `2 races in 11 runs (40,312 events, 0.4 s)`.
std::string races_line(const RaceReport& report);

/// Each race with its variable, both accesses with their source lines, and both stacks.
std::string races_text(const RaceReport& report, Paint paint);

}  // namespace unravel
