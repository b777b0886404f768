/// What this machine permits to a controlled program, and what it does not.
#pragma once

#include <vector>

#include "data/checkup.hpp"
#include "data/run.hpp"

namespace unravel {

/// `run` was made on this machine. Also tries what a run does not show.
std::vector<Concern> concerns_about_machine(const Run& run);

}  // namespace unravel
