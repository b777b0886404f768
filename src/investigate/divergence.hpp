/// Where a replay left the recorded run, and the likely cause. Pure: compares two runs.
#pragma once

#include <string>
#include <vector>

#include "data/divergence.hpp"
#include "data/run.hpp"

namespace unravel {

/// What was known when the run was replayed.
struct ReplayConditions {
  bool has_recorded_inputs = false;            // it got its inputs from the record
  bool has_recorded_files = false;             // and the record has files, too
  std::vector<std::string> changed_variables;  // in the environment
};

/// The first difference of `now` from `before`, whose schedule it followed. `differs` describes the
/// difference if the replay could follow the schedule to its end.
Divergence explain_divergence(const Run& before, const Run& now, const std::string& differs,
                              const ReplayConditions& conditions);

}  // namespace unravel
