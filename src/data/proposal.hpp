/// A run that a strategy proposes.
#pragma once

#include <string>

#include "data/schedule.hpp"

namespace unravel {

/// Slices, choices, constraints, switches and rule come from the schedule; points and other
/// recording conditions come from the batch.
struct Proposal {
  Schedule schedule;
  wire::Following following = wire::Following::kNothing;
  std::string strategy;  // the strategy that proposed it

  friend bool operator==(const Proposal&, const Proposal&) = default;
};

}  // namespace unravel
