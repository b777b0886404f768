/// The result of replaying a stored run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "data/checked.hpp"
#include "data/run.hpp"

namespace unravel {

/// A stored failure, reproduced by its portable constraints in another build.
struct BroughtBack {
  std::optional<Run> run;       // a run with the same failure; nothing: there was none
  std::uint64_t tries = 0;      // runs in addition to the one that followed the schedule
  std::size_t constraints = 0;  // of the failure, whose places exist in this build
};

struct Replayed {
  std::string run;                   // id of the stored run
  bool had_failed = false;           // the stored run failed
  Run now;                           // with its id
  std::string differs;               // how it differs; empty: reproduced
  bool has_recorded_inputs = false;  // it got its inputs from the record
  bool is_other_build = false;
  std::optional<ReproducedBy> reproduced_by;    // in another build
  std::optional<BroughtBack> with_constraints;  // if they were tried
  std::vector<std::string> changed_variables;   // environment variables that differ
  std::optional<Divergence> divergence;         // of a strict replay that did not reproduce it
  std::string schedule_file;
  std::optional<std::uint64_t> traced_events;  // in the trace that was stored
  std::string trace_file;

  [[nodiscard]] bool reproduced() const { return differs.empty(); }
};

}  // namespace unravel
