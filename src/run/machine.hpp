/// What this machine grants to a program under control, and what it does not.
#pragma once

#include <vector>

#include "data/checkup.hpp"
#include "data/run.hpp"

namespace unravel {

/// `run` is one that was made here. Tries what no run tells.
std::vector<Concern> concerns_about_machine(const Run& run);

}  // namespace unravel
