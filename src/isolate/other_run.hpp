/// A run that ends otherwise, as close as it can be found to one that is known.
///
/// Choi and Zeller, "Isolating Failure-Inducing Thread Schedules", ISSTA 2002, section 5, in both
/// directions: from a failing run to one that passes, or the other way round.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "base/result.hpp"
#include "explore/neighbours.hpp"
#include "isolate/difference.hpp"
#include "run/laboratory.hpp"

namespace unravel {

/// A run, and what to follow for it to come about.
struct KnownRun {
  Run run;
  ClockForm form;
};

/// As it was realised.
KnownRun realised(Run run);

/// What a attempt says. Another failure than the one that is looked into is unresolved, or else a
/// failure too; what cannot be told never is.
DeltaOutcome outcome_of(const Attempt& attempt, bool others_fail);

/// How far experiments may go.
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
  DeltaOutcome wanted = DeltaOutcome::kPass;  // or that it fails
  bool others_fail = false;
  std::uint64_t seed = 1;
  double first_width = Neighbours::kNarrowest;  // standard deviation in points
};

/// Tries neighbours of `from`, and any runs when there are no more of them, as many at a time as
/// there are workers. The first in their order is taken, so that it is the same for any number of
/// workers; those tried beside it count too.
Result<OtherRun> find_other_run(Laboratory& laboratory, const Run& from,
                                const OtherRunSearch& search, const ExperimentLimits& limits);

}  // namespace unravel
