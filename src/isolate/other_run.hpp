/// Finds a run with the other outcome, as near as possible to a known one.
///
/// Choi and Zeller, "Isolating Failure-Inducing Thread Schedules", ISSTA 2002, section 5, in both
/// directions: from a failing run to a passing one, or the reverse.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "base/result.hpp"
#include "explore/neighbours.hpp"
#include "isolate/difference.hpp"
#include "run/laboratory.hpp"

namespace unravel {

/// A run, and the schedule that leads to it.
struct KnownRun {
  Run run;
  ClockForm form;
};

/// The schedule is the one that the run realised.
KnownRun realised(Run run);

/// The outcome of an attempt. Another failure than the expected one is unresolved, or a failure if
/// `others_fail`; an attempt without a clear outcome is always unresolved.
DeltaOutcome outcome_of(const Attempt& attempt, bool others_fail);

/// When experiments have to stop.
struct ExperimentLimits {
  std::uint64_t runs = 10'000;
  std::function<bool()> interrupted = {};  // asked before every run; may be empty

  [[nodiscard]] bool allow(std::uint64_t made) const {
    return made < runs && !(interrupted && interrupted());
  }
};

struct OtherRun {
  std::optional<KnownRun> found;  // nothing: limits were reached
  std::uint64_t tests = 0;
};

struct OtherRunSearch {
  DeltaOutcome wanted = DeltaOutcome::kPass;  // or kFail
  bool others_fail = false;
  std::uint64_t seed = 1;
  double first_width = Neighbours::kNarrowest;  // standard deviation in points
};

/// Tries neighbours of `from`, then random runs when there are no more neighbours, as many at a
/// time as there are workers. Takes the first match in order, so the result does not depend on the
/// number of workers. All runs count as tests.
Result<OtherRun> find_other_run(Laboratory& laboratory, const Run& from,
                                const OtherRunSearch& search, const ExperimentLimits& limits);

}  // namespace unravel
