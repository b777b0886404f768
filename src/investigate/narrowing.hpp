/// Finds what decides between passing and failing: for `isolate` and `hunt`.
#pragma once

#include <optional>
#include <vector>

#include "data/explanation.hpp"
#include "investigate/allowance.hpp"
#include "investigate/observer.hpp"
#include "run/pool.hpp"

namespace unravel {

struct Narrowing {
  std::vector<Run> passing;              // takes the nearest of these; empty: search for one
  bool must_take = false;                // take one of them; an error if it does not differ
  double first_width = 1;                // of the search, in points
  std::uint64_t tests = 1000;            // limit for the search, and for the narrowing
  bool others_fail = false;              // any failure counts
  const Allowance* allowance = nullptr;  // shared with other steps; null: no further limit
};

struct NarrowedRuns {
  SmallestDifference told;  // without the ids of the runs
  Run failing;
  std::optional<Run> passing;  // nothing: not found
};

/// `failing` and the passing runs must be results of runs, with their clock form.
Result<NarrowedRuns> narrow_down(Pool& pool, const Run& failing, const Narrowing& narrowing,
                                 Observer& observer);

}  // namespace unravel
