/// A run that a strategy proposes.
#pragma once

#include <cstdint>
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
  bool is_lesson = false;                // it is made with a trace, and learnt from

  friend bool operator==(const Proposal&, const Proposal&) = default;
};

/// Equal for proposals with the same slices, constraints and rule.
std::uint64_t hash_of_proposal(const Proposal& proposal);

/// A run that the analysis of a trace proposes.
struct PredictedRun {
  std::uint64_t cost = 0;  // the lower, the more promising
  Proposal proposal;

  friend bool operator==(const PredictedRun&, const PredictedRun&) = default;
};

}  // namespace unravel
