/// What came of following a kept run's schedule once more.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "data/checked.hpp"
#include "data/run.hpp"

namespace unravel {

/// A kept failure, brought back by its portable constraints on another build than its own.
struct BroughtBack {
  std::optional<Run> run;       // that failed in the same way; nothing: none did
  std::uint64_t tries = 0;      // runs besides the one that followed the schedule
  std::size_t constraints = 0;  // of the failure, whose places were found in this build
};

struct Replayed {
  std::string run;          // the kept run's id
  bool had_failed = false;  // the kept run
  Run now;                  // with its id
  std::string differs;      // empty: reproduced
  bool is_other_build = false;
  std::optional<ReproducedBy> reproduced_by;    // on another build
  std::optional<BroughtBack> with_constraints;  // if they were tried
  std::vector<std::string> changed_variables;   // of the environment, that may be the reason
  std::string schedule_file;
  std::optional<std::uint64_t> traced_events;  // of the trace that was kept
  std::string trace_file;

  [[nodiscard]] bool reproduced() const { return differs.empty(); }
};

}  // namespace unravel
