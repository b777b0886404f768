/// A run that a strategy proposes.
#pragma once

#include <optional>
#include <string>

#include "data/schedule.hpp"

namespace unravel {

/// Slices, choices, constraints, switches and rule come from the schedule; other recording
/// conditions come from the batch.
struct Proposal {
  Schedule schedule;
  wire::Following following = wire::Following::kNothing;
  std::string strategy;                  // the strategy that proposed it
  std::optional<wire::PointSet> points;  // nothing: those of the runner

  friend bool operator==(const Proposal&, const Proposal&) = default;
};

}  // namespace unravel
