/// What a strategy asks of one run.
#pragma once

#include <string>

#include "data/schedule.hpp"

namespace unravel {

/// Slices, choices, constraints, switches and rule are taken from the schedule; points and what
/// else it was recorded under are the batch's.
struct Proposal {
  Schedule schedule;
  wire::Following following = wire::Following::kNothing;
  std::string strategy;  // whose idea it was

  friend bool operator==(const Proposal&, const Proposal&) = default;
};

}  // namespace unravel
